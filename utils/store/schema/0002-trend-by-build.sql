-- A trend asks each build for one name, which the key of build_costs finds; the
-- other order was a ninth of the file, and used by nothing.
DROP INDEX build_costs_by_name;
