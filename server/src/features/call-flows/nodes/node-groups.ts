/** Where an editor offers the node. */
export const nodeGroups = ['say', 'ask', 'connect', 'decide', 'services', 'end'] as const

export type NodeGroup = (typeof nodeGroups)[number]
