-- One order of two different random products; `products` is given on the command line.
\set first random(1, :products)
\set second random(1, :products - 1)
\set second CASE WHEN :second >= :first THEN :second + 1 ELSE :second END
\set low least(:first, :second)
\set high greatest(:first, :second)
SELECT place_order(:low, :high);
