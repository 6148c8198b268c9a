"""What a plugin may ask of the host, a module for each family; a context holds one object of each class.

Every method is a call to the host. What the host answers is unwrapped: the value that was asked for comes back, or
whether it worked. A refusal does not raise: where nothing else is said, it comes back as the host gave it,
`{"success": False, "error": "..."}`. What the connection raises does reach the caller.

A method with free keywords sends them along under their own names, for arguments that newer hosts know. `timeout_ms`
among them is not sent: it is the deadline of this one call, in milliseconds.
"""
