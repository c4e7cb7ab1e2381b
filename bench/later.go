package main

import "context"

func failover(ctx context.Context, b *bench, k kind) ([]figure, error) { return nil, nil }
func reshard(ctx context.Context, b *bench, k kind) ([]figure, error)  { return nil, nil }
func restart(ctx context.Context, b *bench, k kind) ([]figure, error)  { return nil, nil }
