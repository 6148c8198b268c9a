"""How far planner and replyer may go, and how replies are typed."""

from pydantic import BaseModel, ConfigDict, Field


class AnsweringSettings(BaseModel):
    """The section ``[answering]``: bounds of planning and wording an answer, and how it is typed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    context_messages: int = Field(30, ge=1, le=1000, description="How many messages of a chat models are told.")
    talk_value: float = Field(
        1.0,
        ge=0,
        le=1,
        description="How many of the messages of a group that do not speak to the bot it thinks about: "
        "1 for all, 0.5 for every other, 0 for none.",
    )
    max_rounds: int = Field(
        6, ge=1, le=100, description="How often the planner's model is asked about one message at most."
    )
    reply_retries: int = Field(3, ge=0, le=3, description="How often plugins may ask for a new answer of one reply.")
    max_pictures: int = Field(
        4, ge=0, le=100, description="How many pictures of the chat a model that sees is shown at most."
    )
    max_expressions: int = Field(
        5, ge=1, le=100, description="How many of a chat's ways of speaking a reply is given at most."
    )
    expression_candidates: int = Field(
        50, ge=1, le=1000, description="How many of them are looked at for a reply, those met most often first."
    )
    typos: bool = Field(False, description="Whether replies in Chinese get a few typing errors, as people make them.")
    typo_rate: float = Field(0.02, ge=0, le=1, description="Which share of the characters becomes another then.")
