/** What a channel does after its bridge has ended. */

/** It is ours to drive again, or ends too. */
export type AfterBridge = 'park' | 'hangup'

/**
 * Variables of the channel. The last is for a bridge that never begins, as the other channel is just ending: the switch
 * says that it will join both and then hangs this one up, with ORIGINATOR_CANCEL (switch_ivr_bridge.c,
 * uuid_bridge_on_soft_execute).
 */
export function afterBridgeVariables(does: AfterBridge): Record<string, string> {
  const parks = String(does === 'park')
  return {
    park_after_bridge: parks,
    hangup_after_bridge: String(does === 'hangup'),
    uuid_bridge_park_on_cancel: parks,
  }
}
