/** Messages whose files are fetched at once: their files are in memory, and workspaces share the places. */
export const fetchPlaces = { concurrency: 32, turns: { ofOwner: 8, share: 1 / 4 } } as const
