"""Settings of a user that change what a server answers, and questions that they must not change."""

import os

from stored import check, store

MAIN = os.environ["XDG_DATA_HOME"] + "/instantrace/store.db"
CHANGED = {
    "join_use_nulls": "1", "any_join_distinct_right_table_keys": "1", "distributed_product_mode": "local",
    "join_overflow_mode": "break", "extremes": "1", "transform_null_in": "1",
    "aggregate_functions_null_for_empty": "1", "prefer_column_name_to_alias": "1", "skip_unavailable_shards": "1",
    "distributed_group_by_no_merge": "1", "output_format_tsv_crlf_end_of_line": "1", "async_insert": "1",
    "set_overflow_mode": "break", "group_by_overflow_mode": "any", "sort_overflow_mode": "break", "distinct_overflow_mode": "break",
    "read_overflow_mode": "break", "result_overflow_mode": "break", "transfer_overflow_mode": "break", "timeout_overflow_mode": "break",
    "empty_result_for_aggregation_by_empty_set": "1", "format_tsv_null_representation": "nothing",
}
# With these a server would leave out what is too much, without a word.
LIMITS = {"max_rows_in_join": "2", "max_rows_in_set": "2", "join_overflow_mode": "break", "set_overflow_mode": "break"}


# Each takes a process; the questions differ less than the settings.
EACH = 3


def answers(Asked, To):
    return [store("ask", *Q, "--json", "--to=" + To) for Q in Asked[::EACH]]


def same(Asked, Answers, To):
    for Question, Expected, Found in zip(Asked[::EACH], Answers, answers(Asked, To)):
        check(Found.stdout == Expected.stdout and Found.returncode == Expected.returncode, Question, Expected, Found)
