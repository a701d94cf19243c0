/**
 * Lets a bridge change from audio to fax (ITU-T T.38): a re-INVITE of one leg with `m=image … udptl t38` is offered to the
 * other leg, whose answer, 488 included, is the answer (switch_core_media.c, `t38_passthru`).
 *
 * On all other channels the switch refuses such a re-INVITE at once. It must not accept it there: without a bridge it waits for
 * two seconds and ignores that channel's commands afterwards; while a bridge is being made, it never answers the re-INVITE
 * (measured, 1.10.12).
 */
import type { Channel } from './channel.js'
import { SwitchDownError, SwitchRefusedError } from './errors.js'
import type { SwitchEvent } from './switch-event.js'

/**
 * From the offer or answer on, the switch sends to the fax port in it, but would follow ten packets of audio that still come from
 * another one (switch_rtp.c, `autoadj_threshold`): it would never receive from the fax port (measured). So the threshold is half a
 * second of packets, and a second for the offered side, since the answer takes its time.
 */
const allowed = { fax_enable_t38: 'true', t38_passthru: 'true', rtp_auto_adjust_threshold: '25' }
const onOffer = 'set rtp_auto_adjust_threshold=50'
const refused = { fax_enable_t38: 'false', rtp_auto_adjust_threshold: '10' }

type Leg = Pick<Channel, 'mayBeAsked' | 'isEncrypted' | 'setVariables' | 'setText'>

/** Call it after bridging. UDPTL is not encrypted: if one leg's audio is, the call stays in audio. */
export async function allowFax(one: Leg, other: Leg): Promise<void> {
  const both = [one, other]
  if (!both.every(({ mayBeAsked, isEncrypted }) => mayBeAsked && !isEncrypted)) return
  const work = both.flatMap((leg) => [
    leg.setVariables(allowed),
    leg.setText('sip_execute_on_image', onOffer),
  ])
  await Promise.all(work.map(tolerated))
}

/** One is parked again, or is when it is joined with another one next. */
export async function refuseFax(leg: Leg, event: SwitchEvent): Promise<void> {
  if (event.variable('fax_enable_t38') === allowed.fax_enable_t38) await tolerated(leg.setVariables(refused))
}

/** Either may have hung up meanwhile, and a lost link means nothing: variables stay with the channel. */
async function tolerated(command: Promise<void>): Promise<void> {
  await command.catch((error: unknown) => {
    if (!(error instanceof SwitchRefusedError) && !(error instanceof SwitchDownError)) throw error
  })
}
