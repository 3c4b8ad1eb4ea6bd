"""Which failures of a database are worth waiting for."""

import pytest

from n8n_scraper.policies.failure.store_failure import may_come_back

AT = 'connection to server at "127.0.0.1", port 5432 failed: '


@pytest.mark.parametrize(
    "words",
    [
        AT + "Connection refused",
        AT + "FATAL:  the database system is starting up",
        AT + "FATAL:  the database system is shutting down",
        AT + "FATAL:  sorry, too many clients already",
        AT + "timeout expired",
        "server closed the connection unexpectedly",
        "consuming input failed: Connection reset by peer",
        "the connection is lost",
    ],
)
def test_a_server_that_is_away_for_a_moment_is_waited_for(words: str) -> None:
    assert may_come_back(None, words)


@pytest.mark.parametrize(
    "words",
    [
        AT + 'FATAL:  password authentication failed for user "n8n"',
        AT + 'FATAL:  Peer authentication failed for user "n8n"',
        AT + "fe_sendauth: no password supplied",
        AT + 'FATAL:  database "n8m" does not exist',
        AT + 'FATAL:  role "n8m" does not exist',
        AT + 'FATAL:  no pg_hba.conf entry for host "10.0.0.1", user "n8n"',
        AT + 'FATAL:  permission denied for database "n8n"',
        AT + 'FATAL:  role "n8n" is not permitted to log in',
        AT + 'FATAL:  database "template0" is not currently accepting connections',
        AT + "server does not support SSL, but SSL was required",
    ],
)
def test_what_only_a_person_can_put_right_is_told_at_once(words: str) -> None:
    assert not may_come_back(None, words)


@pytest.mark.parametrize(
    ("code", "comes_back"),
    [
        ("08006", True),  # the connection broke
        ("40001", True),  # lost against another transaction
        ("40P01", True),  # chosen to end a deadlock
        ("53300", True),  # too many connections
        ("55P03", True),  # somebody else's lock
        ("57P01", True),  # the administrator stopped it
        ("57P03", True),  # starting up
        ("28P01", False),  # wrong password
        ("3D000", False),  # no such database
        ("42501", False),  # no permission
        ("42P01", False),  # no such table
        ("53100", False),  # its disk is full
        ("57P04", False),  # somebody dropped the database
    ],
)
def test_the_servers_code_decides_where_there_is_one(code: str, comes_back: bool) -> None:
    assert may_come_back(code, "whatever it says") is comes_back
