"""A plugin's configuration file: read, checked by its model, completed and changed; all else in it is the user's."""
