"""Keeping the two forms of a context, or of an answer, in step: the `reconcile` of planner and replyer hooks."""

from host.catalogue.reconciling.answer import reconcile_answer, reconcile_reply
from host.catalogue.reconciling.context import reconcile_context

__all__ = ["reconcile_answer", "reconcile_context", "reconcile_reply"]
