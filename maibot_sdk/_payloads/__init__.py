"""Names and payloads of the built-in hooks, a module for each chain. Import them from `maibot_sdk.hooks`."""
