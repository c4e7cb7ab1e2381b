-- +goose Up

-- SQLite cannot add a column only if it is missing. No ElasticJob engine has
-- SQLite among its products, and the sink and the queries do without the
-- column where they must, so nothing is left to do here.
SELECT 1;
