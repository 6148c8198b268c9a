"""How the C library's allocator treats large blocks."""

_EXAMPLE = 8 << 20


def keep_large_blocks() -> None:
    """Have freed blocks of up to some MiB kept for the next ones, and not given back to the system at once.

    A message of 256 KiB lives in half a dozen blocks for a moment. Each that the system gives out anew costs a page
    fault for every 4 KiB of it, together ten times what encoding, copying and decoding it cost. The GNU C library
    learns by example: it goes on keeping blocks as large as the largest that it saw freed, and twice that at the end
    of its heap. Others have policies of their own, and this does nothing.
    """
    # Freed at once. The memory is never touched, so nothing is used up by it.
    bytearray(_EXAMPLE)
