"""Who has no recorded answers tries the same things on our own."""

import json
from pathlib import Path

import pytest

from n8n_scraper.sources.n8n.replica.oddities import ODDITIES
from n8n_scraper.sources.n8n.rules.import_check import check_import
from n8n_scraper.sources.n8n.rules.node_table import shipped_table
from tests.samples.answers import read_detail, read_import, template_of
from tests.samples.conftest import FOLDERS
from tests.samples.our_own import write_answers
from tests.samples.test_contents import counted_videos, texts


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own")
    write_answers(folder)
    return folder


def test_each_kind_of_answer_is_there_for_every_oddity(own: Path) -> None:
    counts = {folder: len(list((own / folder).iterdir())) for folder in FOLDERS.values()}

    assert all(count >= len(ODDITIES) for count in counts.values()), counts


def test_the_verdict_on_every_workflow_is_the_one_worked_out_by_hand(own: Path) -> None:
    lines = (own / "import-verdicts.tsv").read_text().splitlines()
    expected = dict(line.split("\t") for line in lines)

    found = {}
    for number in expected:
        answer = json.loads((own / "api-import" / f"{number}.json").read_bytes())
        check = check_import(answer["workflow"], name=answer["name"], table=shipped_table())
        found[number] = "refused" if check.verdict == "rejected" else "accepted"

    assert found == expected


def test_every_video_of_our_own_answers_is_found_and_nothing_else(own: Path) -> None:
    videos = 0
    for file in sorted((own / "api-detail").iterdir()):
        answer = json.loads(file.read_bytes())["workflow"]
        counted = counted_videos(texts(answer["workflow"], answer["description"]))

        found = template_of(read_detail(file)).videos

        assert {video.video_id for video in found or []} == counted, file.stem
        videos += len(counted)
    assert videos >= 5


def test_both_answers_of_a_template_tell_the_same_of_its_workflow(own: Path) -> None:
    for file in sorted((own / "api-import").iterdir()):
        detail = template_of(read_detail(own / "api-detail" / file.name))
        found = template_of(read_import(file))

        assert (found.notes, found.node_types) == (detail.notes, detail.node_types), file.stem
        assert found.connection_count == detail.connection_count, file.stem
