/**
 * Lets two far ends that are joined change from sound to fax (ITU-T T.38): a re-INVITE with `m=image … udptl t38` of one is
 * offered to the other, whose answer, 488 too, is the answer (switch_core_media.c, `t38_passthru`).
 *
 * The switch refuses it at once on any other channel. It must not take it there: without another one it waits for two seconds,
 * and is deaf on that channel afterwards; while two are being joined, the re-INVITE is never answered (measured, 1.10.12).
 */
import type { Channel } from './channel.js'
import { SwitchDownError, SwitchRefusedError } from './errors.js'
import type { SwitchEvent } from './switch-event.js'

/**
 * From the offer or answer on, the switch sends to the fax port in it, and would follow ten packets of sound that still come from
 * another one (switch_rtp.c, `autoadj_threshold`): it would never hear the fax port (measured). So it waits for half a second
 * of them, and for a second where it is offered, since the answer takes its time.
 */
const allowed = { fax_enable_t38: 'true', t38_passthru: 'true', rtp_auto_adjust_threshold: '25' }
const onOffer = 'set rtp_auto_adjust_threshold=50'
const refused = { fax_enable_t38: 'false', rtp_auto_adjust_threshold: '10' }

type Leg = Pick<Channel, 'mayBeAsked' | 'isEncrypted' | 'setVariables' | 'setText'>

/** Two have been joined. UDPTL is not encrypted: where the sound of one is, the call stays in sound. */
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
