/** A client that does no more than to keep the window of an SMSC full: a process of its own that ends when it is done. */
import { connect } from 'node:net'
import { answerBit, bindTransceiver, pdu, pduReader, submitSm } from './pdu.js'

const [port = 0, window = 0, count = 0] = process.argv.slice(2).map(Number)
const text = Buffer.from(process.argv[5] ?? '')

const string = (value: string) => Buffer.from(`${value}\0`, 'latin1')

function submission(sequence: number): Buffer {
  const to = `1303${String(sequence).padStart(7, '0')}`
  const body = Buffer.concat([
    string(''), // service_type
    ...[Buffer.from([1, 1]), string('12025550100'), Buffer.from([1, 1]), string(to)],
    Buffer.from([0, 0, 0]), // esm_class, protocol_id, priority_flag
    ...[string(''), string('')], // schedule_delivery_time, validity_period
    Buffer.from([1, 0, 0, 0, text.length]), // registered_delivery … sm_length
    text,
  ])
  return pdu(submitSm, sequence, body)
}

const socket = connect(port, '127.0.0.1')
socket.setNoDelay(true)
let sent = 0
let answered = 0

function submit(): void {
  socket.cork()
  while (sent < count && sent - answered < window) {
    sent += 1
    socket.write(submission(sent))
  }
  socket.uncork()
}

const read = pduReader((command) => {
  if (command === (submitSm | answerBit) >>> 0) answered += 1
})
socket.on('data', (chunk) => {
  read(chunk)
  if (answered === count) socket.end()
  else submit()
})
const bind = Buffer.concat([
  string('jackfield'),
  string('secret'),
  string(''),
  Buffer.from([0x34, 0, 0]),
  string(''),
])
socket.write(pdu(bindTransceiver, 0x7fffffff, bind))
