"""Nothing is asked of the host to log: `ctx.logger` is a standard logger. This module is there for old imports."""
