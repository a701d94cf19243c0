/** What is counted over all servers that share a Redis: wrong passwords, and requests. */
import { expect } from 'chai'
import type { ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { RedisServer } from '../support/redis.js'
import { type Person, newPerson, startUnlimited } from './fixtures.js'

const heavy = 10

describe('counters of several servers', function () {
  this.timeout(60_000)
  let redis: RedisServer
  let appliance: Appliance
  let workspace: TestWorkspace
  let ports: number[]

  before(async () => {
    redis = await RedisServer.start()
    appliance = await startUnlimited({
      JACKFIELD_REDIS_URL: redis.url,
      JACKFIELD_RATE_LIMITS_HEAVY: String(heavy),
    })
    ports = [appliance.port, await appliance.startAnotherServer()]
    workspace = await appliance.workspace()
  })
  after(async () => {
    await appliance?.stop()
    await redis?.stop()
  })

  const logIn = async (port: number, { username, device_id }: Person, password: string) =>
    (
      await workspace.api
        .with({ port, authorization: undefined })
        .post('/auth/login', { username, password, device_id })
    ).status
  /** The answers to so many guesses at each server, all at once. */
  const guess = async (person: Person, times: number) => {
    const all = ports.flatMap((port) =>
      Array.from({ length: times }, async () => logIn(port, person, 'wrong one')),
    )
    return (await Promise.all(all)).sort()
  }
  const times = (count: number, status: number) => Array<number>(count).fill(status)

  it('hold off guesses at a password wherever they are made, until it is right', async () => {
    const person = await newPerson(workspace)
    expect(await guess(person, 9)).to.deep.equal(times(18, 401))
    expect(await logIn(ports[1]!, person, person.password)).to.equal(200)
    expect(await guess(person, 12)).to.deep.equal([...times(20, 401), ...times(4, 429)])
    expect(await logIn(ports[0]!, person, person.password)).to.equal(429)
  })

  it('count requests of a key at all servers', async () => {
    await minuteWithRoom()
    const clients = ports.map((port): ApiClient => workspace.api.with({ port }))
    const answers = []
    for (let count = 0; count < heavy + 2; count++)
      answers.push(await clients[count % 2]!.post('/audios', {}))
    expect(answers.map(({ status }) => status)).to.deep.equal([...times(heavy, 400), 429, 429])
    expect(answers[heavy - 1]!.headers['x-ratelimit-remaining']).to.equal('0')
    expect(answers[heavy]!.body.retryAfter).to.be.within(1, 60)
  })

  it('bound guesses at each server while Redis is slow or away, and hold nobody up', async () => {
    redis.freeze(true)
    const person = await newPerson(workspace)
    expect(await guess(person, 22)).to.deep.equal([...times(40, 401), ...times(4, 429)])
    redis.freeze(false)
    await redis.kill()
    const other = await newPerson(workspace)
    expect(await guess(other, 22)).to.deep.equal([...times(40, 401), ...times(4, 429)])
  })
})

/** A minute that has not ended before the test has. */
async function minuteWithRoom(): Promise<void> {
  const leftMs = 60_000 - (Date.now() % 60_000)
  if (leftMs < 10_000) await new Promise((resolve) => setTimeout(resolve, leftMs + 100))
}
