import { Args, Flags } from '@oclif/core'
import { BaseCommand, examplesOf, workspaceFlag } from '../../lib/base-command.js'
import { download } from '../../lib/download.js'

export default class CallCapture extends BaseCommand {
  static override summary = 'Download the SIP of a call as a pcap file for Wireshark (operator)'
  static override examples = examplesOf(['call capture call_01 --workspace acme --output call.pcap'])
  static override args = { id: Args.string({ description: 'id of the call', required: true }) }
  static override flags = {
    ...workspaceFlag,
    output: Flags.string({
      description: 'file to write; without it, the standard output',
      helpValue: '<file>',
    }),
  }

  async run() {
    const { args, flags } = await this.parse(CallCapture)
    const api = await this.operatorApi(flags.profile)
    const path = { workspace_id: await this.workspaceId(flags), id: args.id }
    const { data, error, response } = await api.GET('/workspaces/{workspace_id}/calls/{id}/sip.pcap', {
      params: { path },
      parseAs: 'stream',
    })
    return download({ data, error, response }, flags.output)
  }
}
