/** What calls need of the recordings feature. */
import type { Channel } from '../switch/channel.js'
import type { Call } from './call.entity.js'

export interface CallRecorder {
  /** Whether the workspace may have this call recorded: with the telephone network, or among its own people. */
  mayRecord(call: Call): Promise<boolean>
  /**
   * Records a channel from now to its end; nothing where the call is being recorded already.
   * @param options with `stereo` what the channel's party says is left, what they hear right
   * @throws {SwitchRefusedError} when the channel has ended
   */
  begin(call: Call, channel: Channel, options: { format: 'wav' | 'mp3'; stereo: boolean }): Promise<void>
  /** Whether any recording of the call was begun. */
  hasBegun(call: Call): Promise<boolean>
  /** Ends the call's recording on a channel that goes on in another call; nothing where there is none. */
  leave(call: Call, channel: Channel): Promise<void>
  /** Goes on with the call's recording, where one was begun on a channel, on the one that has taken its place. */
  goOn(call: Call, before: Channel, now: Channel): Promise<void>
  /** Whether an earlier process began to record a message on this channel, and may not have seen its end. */
  hasMessage(channel: Channel): Promise<boolean>
  /**
   * Records what a channel's party says, until they press `#` or are silent for long, the time is up, or the signal.
   * Goes on with a message that an earlier process began.
   * @throws {ChannelEndedError | SwitchDownError} the message is kept all the same
   */
  takeMessage(call: Call, channel: Channel, maxSeconds: number, signal: AbortSignal): Promise<void>
}
