/** How many messages have their files fetched at once: the files are in memory. Workspaces share the slots. */
export const fetchPlaces = { concurrency: 32, turns: { ofOwner: 8, share: 1 / 4 } } as const
