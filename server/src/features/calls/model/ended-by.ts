/**
 * Who ended a call. `carrier`: the network refused it, and not the called party; `server`: this platform, for a
 * request, a script, a limit or a ring time; `unknown`: the switch did not report it.
 */
export type EndedBy = 'caller' | 'callee' | 'carrier' | 'server' | 'unknown'
