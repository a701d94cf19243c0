/** The outbox and the idempotency keys on a real MariaDB. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { Database } from '../../src/infrastructure/database/database.js'
import { Idempotency, IdempotencyKey, KeyReusedError } from '../../src/infrastructure/database/idempotency.js'
import { newId } from '../../src/infrastructure/database/ids.js'
import { migrations } from '../../src/infrastructure/database/migrations/index.js'
import { type Job, OutboxJob, OutboxWorker, addJob } from '../../src/infrastructure/database/outbox.js'
import { firstJobs } from '../../src/infrastructure/database/outbox-turns.js'
import { entities } from '../../src/app/entities.js'
import { Workspace } from '../../src/features/workspaces/workspace.entity.js'
import { eventually } from '../support/api-client.js'
import { sharedMariadb } from '../support/mariadb.js'

const log = pino({ level: 'silent' })

describe('accepted work', function () {
  this.timeout(30_000)
  let database: Database
  const workers: OutboxWorker[] = []

  before(async () => {
    const mariadb = await sharedMariadb()
    const { host, port, user, password } = mariadb
    const name = await mariadb.createDatabase()
    database = new Database({ host, port, user, password, name, socket: '', pool: 10 }, entities, migrations)
    await database.connect()
    await database.source.runMigrations()
  })
  afterEach(async () => {
    await Promise.all(workers.splice(0).map(async (worker) => worker.stop()))
    await database.platformTable(OutboxJob).clear()
  })
  after(async () => database?.close())

  function startWorker(
    work: (job: Job) => Promise<void>,
    options: Partial<ConstructorParameters<typeof OutboxWorker>[3]> = {},
  ): OutboxWorker {
    const worker = new OutboxWorker(
      database,
      'test',
      work,
      { concurrency: 5, leaseMs: 60_000, retryMs: 50, ...options },
      log,
    )
    workers.push(worker)
    worker.start()
    return worker
  }

  async function add(count: number, workspace_id = ''): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId('job'))
    await database.transaction(async (tx) => {
      for (const id of ids)
        await addJob(tx, { id, kind: 'test', workspace_id, payload: { id }, created_at: new Date() })
    })
    return ids
  }

  const left = async () => database.platformTable(OutboxJob).count()
  const allDone = async () => eventually(left, (count) => count === 0, { what: 'empty outbox' })

  it('is done once, in turn, and by one worker only, however many there are', async () => {
    const ids = await add(200)
    const done: string[] = []
    const running = new Set<string>()
    const work = async (job: Job) => {
      if (running.has(job.id)) throw new Error(`${job.id} runs twice`)
      running.add(job.id)
      await sleep(2)
      running.delete(job.id)
      done.push(job.id)
    }
    for (let count = 0; count < 3; count++) startWorker(work)
    await allDone()
    expect([...done].sort()).to.deep.equal([...ids].sort())
  })

  it('holds up nothing of another workspace, however much one has and however long it takes', async () => {
    const held: (() => void)[] = []
    const done: string[] = []
    await add(500, 'ws_a')
    const worker = startWorker(
      async ({ workspace_id }) => {
        if (workspace_id === 'ws_a') await new Promise<void>((resolve) => held.push(resolve))
        done.push(workspace_id)
      },
      { concurrency: 4, turns: { ofOwner: 2, share: 1 / 2 } },
    )
    await eventually(
      async () => held.length,
      (count) => count === 2,
    )
    await add(20, 'ws_b')
    worker.wake()
    await eventually(
      async () => done.length,
      (count) => count === 20,
      { what: 'jobs of the other' },
    )
    expect(new Set(done)).to.deep.equal(new Set(['ws_b']))
    expect(held, 'more than its places').to.have.length(2)
    await database.platformTable(OutboxJob).clear()
    held.forEach((release) => release())
  })

  it('is done in rotation where workspaces have as many jobs as they like', async () => {
    await add(60, 'ws_a')
    await add(3, 'ws_b')
    await add(3, 'ws_c')
    const order: string[] = []
    startWorker(async ({ workspace_id }) => void order.push(workspace_id), {
      ...{ concurrency: 2, turns: { ofOwner: 1 } },
    })
    await allDone()
    for (const other of ['ws_b', 'ws_c']) expect(order.lastIndexOf(other), other).to.be.below(20)
    expect(order).to.have.length(66)
  })

  it('costs one step of an index for each workspace, however many jobs one has, once the statistics show them', async () => {
    await database.source.query(
      `INSERT INTO outbox (id, kind, workspace_id, payload, due_at, created_at)
       SELECT CONCAT('job_', seq), 'test', CONCAT('ws_', seq % 5), '{}', NOW(3), NOW(3) FROM seq_1_to_20000`,
    )
    await database.source.query('ANALYZE TABLE outbox')
    const [plan] = await database.source.query<{ Extra: string }[]>(`EXPLAIN ${firstJobs}`, ['test'])
    expect(plan?.Extra).to.include('Using index for group-by')
  })

  it('is neither kept nor done when its transaction fails', async () => {
    const failed = database.transaction(async (tx) => {
      await addJob(tx, { id: newId('job'), kind: 'test', payload: {}, created_at: new Date() })
      throw new Error('no')
    })
    expect(await failed.catch((error: unknown) => (error as Error).message)).to.equal('no')
    expect(await left()).to.equal(0)
  })

  it('is taken up again when the lease of a worker that died ends, and not before', async () => {
    const [id] = await add(1)
    let begun = 0
    let finish: () => void = () => undefined
    // A worker that never comes back, as after a kill between claim and finish.
    const dead = startWorker(
      async () => {
        begun += 1
        await new Promise<void>((resolve) => (finish = resolve))
      },
      { leaseMs: 1_500, concurrency: 1 },
    )
    await eventually(
      async () => begun,
      (count) => count === 1,
    )
    const taken: { id: string; attempts: number; after: number }[] = []
    const since = Date.now()
    startWorker(async (job) => {
      taken.push({ id: job.id, attempts: job.attempts, after: Date.now() - since })
    })
    await allDone()
    expect(taken).to.have.length(1)
    expect(taken[0]?.id).to.equal(id)
    expect(taken[0]?.attempts).to.equal(1)
    expect(taken[0]?.after).to.be.within(1_000, 4_000)
    finish()
    await dead.stop()
  })

  it('is tried again after it failed', async () => {
    await add(1)
    const attempts: number[] = []
    startWorker(async (job) => {
      attempts.push(job.attempts)
      if (attempts.length < 3) throw new Error('not yet')
    })
    await allDone()
    expect(attempts).to.deep.equal([0, 1, 2])
  })

  it('waits for no poll when the worker is woken, and runs no more at once than allowed', async () => {
    let running = 0
    let most = 0
    const worker = startWorker(
      async () => {
        running += 1
        most = Math.max(most, running)
        await sleep(10)
        running -= 1
      },
      { concurrency: 4 },
    )
    await sleep(100)
    await add(40)
    const since = Date.now()
    worker.wake()
    await allDone()
    expect(most).to.equal(4)
    expect(Date.now() - since).to.be.below(2_500)
  })

  it('is finished before a worker stops, and nothing is begun after', async () => {
    await add(20)
    let done = 0
    const worker = startWorker(
      async () => {
        await sleep(50)
        done += 1
      },
      { concurrency: 2 },
    )
    await eventually(
      async () => done,
      (count) => count > 0,
      { everyMs: 5 },
    )
    await worker.stop()
    const atStop = done
    await sleep(200)
    expect(done).to.equal(atStop)
    expect(await left()).to.equal(20 - atStop)
  })

  describe('under a key', () => {
    const owner = { id: 'acme' }
    let idempotency: Idempotency
    before(async () => {
      idempotency = new Idempotency(database)
      const now = new Date()
      const workspace = { id: 'acme', title: 'Acme', country_code: 'US', created_at: now, updated_at: now }
      await database.platformTable(Workspace).insert(workspace)
    })

    it('runs once, is checked once, and answers alike', async () => {
      let checked = 0
      let ran = 0
      const ask = async () =>
        idempotency.once(owner, 'a', { x: 1 }, async () => {
          checked += 1
          return async () => ({ ran: (ran += 1) })
        })
      expect(await ask()).to.deep.equal({ answer: { ran: 1 }, repeated: false })
      expect(await ask()).to.deep.equal({ answer: { ran: 1 }, repeated: true })
      expect(checked).to.equal(1)
    })

    it('has one winner in a race', async () => {
      let jobs = 0
      const ask = async () =>
        idempotency.once(owner, 'race', {}, async () => async (tx) => {
          const id = newId('job')
          await addJob(tx, { id, kind: 'test', payload: {}, created_at: new Date() })
          jobs += 1
          return { id }
        })
      const answers = await Promise.all(Array.from({ length: 8 }, ask))
      expect(new Set(answers.map(({ answer }) => answer.id)).size).to.equal(1)
      expect(answers.filter(({ repeated }) => !repeated)).to.have.length(1)
      expect(await left(), `of ${jobs} begun`).to.equal(1)
    })

    it('is refused with another request, and kept apart from another workspace’s', async () => {
      const ask = async (request: object, workspace = owner) =>
        idempotency.once(workspace, 'b', request, async () => async () => ({ request }))
      await ask({ x: 1 })
      expect(await ask({ x: 2 }).catch((error: unknown) => error)).to.be.instanceOf(KeyReusedError)
    })

    it('is forgotten after a day', async () => {
      await idempotency.once(owner, 'old', {}, async () => async () => ({}))
      const keys = database.platformTable(IdempotencyKey)
      await keys.update({ idempotency_key: 'old' }, { created_at: new Date(Date.now() - 25 * 3_600_000) })
      await idempotency.sweep()
      const kept = (await keys.find()).map((row) => row.idempotency_key)
      expect(kept).to.include('a').and.not.to.include('old')
    })
  })
})
