import { dataOf } from '@jackfield/sdk'
import { Flags } from '@oclif/core'
import { ask } from '../../lib/ask.js'
import { BaseCommand, workspaceFlag } from '../../lib/base-command.js'
import { type CallAction, actionsOf } from '../../lib/call-actions.js'
import { followCall } from '../../lib/follow-call.js'

export default class CallMake extends BaseCommand {
  static override summary = 'Make an outbound call'
  static override description =
    'What is said comes before what is played; --actions gives a whole script instead.'
  static override examples = [
    '<%= config.bin %> call make --workspace acme --to +12025550100 --say "Hello from Jackfield." --follow',
    `<%= config.bin %> call make --workspace acme --to +12025550100 --actions '[{"action":"hangup"}]'`,
  ]
  static override flags = {
    ...workspaceFlag,
    to: Flags.string({ description: 'number in E.164, extension, username, or client:<sub>' }),
    from: Flags.string({ description: 'caller id: a number of the workspace' }),
    say: Flags.string({ description: 'text to speak after the answer' }),
    play: Flags.string({ description: 'audio to play after the answer', helpValue: '<au_…>' }),
    actions: Flags.string({ description: 'actions as JSON', exclusive: ['say', 'play'] }),
    'max-duration': Flags.integer({ description: 'seconds after the answer', min: 1, max: 7200 }),
    follow: Flags.boolean({ description: 'show the call’s events until it ends' }),
  }

  async run() {
    const { flags } = await this.parse(CallMake)
    const api = await this.workspaceApi(flags)
    const body = {
      to: { number: await ask(flags.to, '--to', 'Number to call') },
      actions: flags.actions ? actionsOf(flags.actions) : script(flags.say, flags.play),
      ...(flags.from && { from: { number: flags.from } }),
      ...(flags['max-duration'] !== undefined && { max_duration: flags['max-duration'] }),
    }
    const made = await dataOf(api.POST('/calls/make', { body }))
    const { call_id, to, status } = made.data
    const line = `${call_id} to ${to.number} is ${status}.`
    if (flags.follow) {
      this.logToStderr(line)
      await followCall(api, call_id, (event) => this.logToStderr(event))
    } else this.log(line)
    return made
  }
}

function script(say: string | undefined, play: string | undefined): CallAction[] {
  return [
    ...(say === undefined ? [] : [{ action: 'tts', params: { text: say } }]),
    ...(play === undefined ? [] : [{ action: 'play', params: { audio_id: play } }]),
  ]
}
