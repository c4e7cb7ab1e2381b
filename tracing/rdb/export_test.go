package rdb

// LookAt makes the store look at fewer rows per query than [MaxLooked].
func (s *Store) LookAt(rows int) { s.looks = rows }
