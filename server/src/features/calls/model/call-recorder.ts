/** What calls need of the recordings feature. */
import type { Channel } from '../../../adapters/freeswitch/channel.js'
import type { Call } from './call.entity.js'

export interface CallRecorder {
  /** Whether the workspace may have this call recorded: with the telephone network, or among its own people. */
  mayRecord(call: Call): Promise<boolean>
  /**
   * Records a channel from now to its end; does nothing if the call is already being recorded.
   * @param options `stereo`: what the channel's party says on the left, what they hear on the right; `play` plays the
   * workspace's notice of the recording to the party of a script, which waits for it
   * @throws {SwitchRefusedError} when the channel has ended
   */
  begin(
    call: Call,
    channel: Channel,
    options: { format: 'wav' | 'mp3'; stereo: boolean; play?: (source: string) => Promise<void> },
  ): Promise<void>
  /** Whether any recording of the call was begun. */
  hasBegun(call: Call): Promise<boolean>
  /** Ends the call's recording on a channel that moves to another call; does nothing without one. */
  leave(call: Call, channel: Channel): Promise<void>
  /** Continues a recording of the call that was begun on one channel on the channel that has taken its place. */
  goOn(call: Call, before: Channel, now: Channel): Promise<void>
  /** Whether the previous process began to record a message on this channel, and may have missed its end. */
  hasMessage(channel: Channel): Promise<boolean>
  /**
   * Records what a channel's party says, until they press `#` or are silent for long, the time is up, or the signal.
   * Continues a message that the previous process began.
   * @throws {ChannelEndedError | SwitchDownError} the message is kept all the same
   */
  takeMessage(call: Call, channel: Channel, maxSeconds: number, signal: AbortSignal): Promise<void>
}
