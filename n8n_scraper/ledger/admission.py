"""Refuse a crawl that would do something else than whoever gives its command expects."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from n8n_scraper.core.errors import BadInput
from n8n_scraper.core.outcomes import Outcome
from n8n_scraper.ledger.jobdir import JobDirectory
from n8n_scraper.ledger.ledger import NewRun, RunStatus, State
from n8n_scraper.ledger.runs import has_work_left, is_the_same
from n8n_scraper.ledger.tables import RunItemRow, RunRow
from n8n_scraper.policies.run.command_line import crawl_command, setting_in, with_database
from n8n_scraper.policies.run.ending import after_a_finish
from n8n_scraper.policies.run.going_on import GoingOn
from n8n_scraper.sources import known, noun_of

_HAD = (Outcome.COMPLETE, Outcome.PARTIAL)


def admit(
    session: Session, new: NewRun, job: JobDirectory | None, here: str, *, other_site: bool
) -> None:
    """Raise BadInput when this crawl must not begin in the database that is called `here`."""
    if job is not None:
        _check_directory(session, new, job, here)
    if not other_site:
        _check_site(session, new, here)


def check_home(job: JobDirectory, here: str) -> None:
    """Raise BadInput when the run of a directory, which is not here, is in another database."""
    if job.database() not in (None, here):
        raise BadInput(
            f"JOBDIR {job.path} belongs to run {job.run_id()} in the database {job.database()}, "
            f"and this one is {here}: name that DATABASE_URL, or give this crawl a JOBDIR of its "
            "own."
        )


def _check_directory(session: Session, new: NewRun, job: JobDirectory, here: str) -> None:
    """Neither forget the run that a directory belongs to, nor crawl for ever what ended badly."""
    run_id = job.run_id()
    run = session.get(RunRow, run_id) if run_id else None
    if run is None:
        check_home(job, here)
    elif not is_the_same(run, new):
        _check_work_left(session, run, new, job)
    elif run.status == RunStatus.FINISHED:
        _check_end(run, new, job)


def _check_work_left(session: Session, run: RunRow, new: NewRun, job: JobDirectory) -> None:
    """Keep another crawl from untying a run that can still be gone on with."""
    if has_work_left(session, run):
        command = run.command or crawl_command(run.spider, run.arguments, {"JOBDIR": job.path})
        _, _, here = "".join(setting_in(new.command, "DATABASE_URL")[1:]).partition("=")
        command = with_database(command, here or None)  # the run may have come here by a copy
        going_on = _going_on(run, command, job)
        raise BadInput(
            f"JOBDIR {job.path}: its run {run.run_id} has work left, and this crawl asks for "
            f"something else; {going_on.with_what_is_left()}; or give this crawl another JOBDIR."
        )


def _check_end(run: RunRow, new: NewRun, job: JobDirectory) -> None:
    going_on = _going_on(run, new.command, job)
    status = (run.totals or {}).get("exit_status")
    if status and not going_on.is_update:
        raise BadInput(
            f"JOBDIR {job.path}: its run {run.run_id} is finished, with exit status {status}; "
            f"{after_a_finish(status, going_on)}; to crawl all of it anew, give another JOBDIR."
        )


def _going_on(run: RunRow, command: str, job: JobDirectory) -> GoingOn:
    noun = noun_of(run.source)
    return GoingOn(run.run_id, command, run.arguments, str(job.path), run.source, noun)


def _check_site(session: Session, new: NewRun, here: str) -> None:
    """Keep the items of one site from being overwritten by those of another."""
    found = RunItemRow.state.in_((State.DONE, State.FAILED)) & RunItemRow.outcome.in_(_HAD)
    had = select(RunItemRow.run_id).where(RunItemRow.run_id == RunRow.run_id, found).exists()
    alike = select(RunRow).where(RunRow.source == new.source, had)
    source = known(new.source)
    if source and (of := source.division(new.arguments)):
        alike = alike.where(RunRow.arguments[of.field].as_string() == of.value)
    newest = alike.order_by(RunRow.started_at.desc(), RunRow.run_id.desc())
    run = session.scalars(newest.limit(1)).first()
    if run is None:
        return
    belongs, asked = places_of(run), places_of(new)
    if belongs != asked:
        raise BadInput(
            f"the archive {here} is of {belongs}, and this crawl is of {asked}: its "
            f"{noun_of(new.source).many} would take the place of those. Name another "
            "DATABASE_URL; or, if that is what you want, add -s ALLOW_OTHER_SITE=1."
        )


def places_of(run: RunRow | NewRun) -> str:
    """Name the places that a run asks: all bases of its source."""
    source = known(run.source)
    bases = source.bases[1:] if source else ()
    further = (str(run.settings.get(base) or run.site).rstrip("/") for base in bases)
    return " with ".join(dict.fromkeys((run.site, *further)))
