"""The SDK here beside the published package, which is installed, imported and called, in an environment of its own.

Both are asked the same things by the same script. Where no package index can be reached these tests are skipped, unless
the environment variable CI is `true`.
"""
