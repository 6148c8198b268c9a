"""The built-in offline model: rules instead of a network, so that a bot can be tried without any account.

It is no language model and does not pretend to be one: it understands nothing, and says so when it is asked something.
The same request always gets the same answer. What it does, in this order:

- *JSON*, where the request asks for it, or where no tools are offered and the last message or a system message shows an
  example of the JSON that it wants: the shape is kept, and its places are filled from the text.
- *Tools*: it calls one that the last message names, or whose description shares words with it, with arguments taken
  from the text by their schema. A tool's output is passed to the `reply` tool, where there is one, else repeated.
- *Planning*, where there is a `reply` tool: it replies to what names the bot or is said to it, to greetings of all,
  and to everything in a private chat; it waits for a message that is not finished, and leaves the others alone. The
  bot's names are read from the system message ("Your name is Mai, also called Mai-chan", "你的名字是麦麦，别名小麦").
- *Replies*: the facts that the system message gives for the answer ("For reference:"), else a short sentence in the
  language of the last message, one of three by a hash of it.
- *Embeddings*: hashed pieces of words. Texts that share words are near each other; texts of one meaning are not.

Pictures are counted and not seen; speech is not heard at all.
"""
