/** `show channels` and `show calls`, as text or as JSON. */
import { stamp } from '../event-bus.js'
import type { SimulatedChannel } from '../simulated-channel.js'
import { usage, type CommandTable } from './command.js'

/** The columns of FreeSWITCH's channels table, in order. */
function row(channel: SimulatedChannel, hostname: string): Record<string, string> {
  const { times, variables, begun, target } = channel
  const { order } = channel.caller ?? {}
  const dialled = order ? target.user : encodeURIComponent(target.user)
  const own = order?.number ?? variables.get('origination_caller_id_number') ?? '0000000000'
  const isCaller = begun && !order
  const codec = times.answered > 0 || order ? ['PCMU', '8000', '64000'] : ['', '', '']
  return {
    uuid: channel.uuid,
    direction: channel.direction,
    created: stamp(times.created),
    created_epoch: String(Math.floor(times.created / 1e6)),
    name: channel.name,
    state: channel.state,
    cid_name: order?.name ?? (begun ? 'Outbound Call' : ''),
    cid_num: isCaller ? target.user : own,
    ip_addr: order ? (variables.get('sip_network_ip') ?? '') : '',
    dest: dialled,
    application: variables.get('current_application') ?? '',
    application_data: variables.get('current_application_data') ?? '',
    dialplan: '',
    context: 'default',
    read_codec: codec[0] ?? '',
    read_rate: codec[1] ?? '',
    read_bit_rate: codec[2] ?? '',
    write_codec: codec[0] ?? '',
    write_rate: codec[1] ?? '',
    write_bit_rate: codec[2] ?? '',
    secure: '',
    hostname,
    presence_id: '',
    presence_data: '',
    accountcode: variables.get('accountcode') ?? '',
    callstate: channel.callState,
    callee_name: begun ? '' : 'Outbound Call',
    callee_num: order ? '' : begun ? own : target.user,
    callee_direction: isCaller ? 'RECV' : '',
    call_uuid: variables.get('call_uuid') ?? channel.uuid,
    sent_callee_name: '',
    sent_callee_num: '',
    initial_cid_name: '',
    initial_cid_num: own,
    initial_ip_addr: '',
    initial_dest: dialled,
    initial_dialplan: '',
    initial_context: 'default',
  }
}

export const showCommands: CommandTable = {
  show(sandbox, argument) {
    const words = argument.trim().split(/ +/)
    const json = words.at(-2) === 'as' && words.at(-1) === 'json'
    if (words[0] !== 'channels' && words[0] !== 'calls') {
      return usage('calls [count]|channels [count|like <match string>] (the sandbox shows no more)')
    }
    const like = words[1] === 'like' ? (words[2] ?? '') : ''
    const rows = sandbox.channels
      .map((channel) => row(channel, sandbox.bus.switchName))
      .filter(
        ({ uuid, name, cid_num }) => !like || [uuid, name, cid_num].some((text) => text?.includes(like)),
      )
    if (words[1] === 'count') {
      return json ? `{"row_count":${rows.length},"rows":[]}` : `\n${rows.length} total.\n`
    }
    // FreeSWITCH leaves `rows` out when there are none, and writes a blank after the colon then.
    if (json) return rows.length ? JSON.stringify({ row_count: rows.length, rows }) : '{"row_count": 0}\n'
    const lines = rows.map((columns) => `${Object.values(columns).join(',')}\n`)
    const head = rows[0] ? `${Object.keys(rows[0]).join(',')}\n` : ''
    return `${head}${lines.join('')}\n${rows.length} total.\n`
  },
}
