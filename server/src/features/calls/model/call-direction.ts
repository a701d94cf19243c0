/** `outbound`: made by the workspace, by its API or its phones; `inbound`: came over a trunk. */
export type CallDirection = 'inbound' | 'outbound'
