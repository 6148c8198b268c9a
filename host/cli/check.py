"""``maibot-host check``: the reports on plugins, for people and for machines."""

import json
from collections.abc import Iterator, Sequence

from host.authoring import PluginReport
from host.cli.texts import CLI_TEXTS
from host.hooks.texts import Locale


def report_lines(reports: Sequence[PluginReport], locale: Locale) -> Iterator[str]:
    """The reports for people: what was found, each with its place first, as compilers write it."""
    for report in reports:
        for finding in report.findings:
            place = f"{finding.file}:{finding.line}: " if finding.line else f"{finding.file}: " if finding.file else ""
            yield f"{place}{CLI_TEXTS.render(f'check_{finding.severity}', {}, locale)}: {finding.text(locale)}"
            if finding.traceback:
                yield finding.traceback.rstrip()
        errors = sum(finding.severity == "error" for finding in report.findings)
        fields = {
            "id": report.id,
            "handlers": report.handlers,
            "errors": errors,
            "warnings": len(report.findings) - errors,
        }
        yield CLI_TEXTS.render("check_bad" if report.findings else "check_ok", fields, locale)


def report_json(reports: Sequence[PluginReport], locale: Locale) -> str:
    """The reports for machines."""
    content = {"ok": all(report.ok for report in reports), "plugins": [report.as_dict(locale) for report in reports]}
    return json.dumps(content, ensure_ascii=False, indent=2)
