"""The decorators of `maibot_sdk.components`, a module each where they are long."""
