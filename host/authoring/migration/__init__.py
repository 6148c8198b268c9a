"""From SDK 1 to SDK 2: sources with `WorkflowStep` and manifests of version 1, rewritten with comments and layout."""

from host.authoring.migration.files import ChangedMeanwhileError, FileChange
from host.authoring.migration.folders import migrate
from host.authoring.migration.manifests import is_plugin_id
from host.authoring.migration.remarks import Remark

__all__ = ["ChangedMeanwhileError", "FileChange", "Remark", "is_plugin_id", "migrate"]
