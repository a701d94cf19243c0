/** An agent at the desk's phone: callers reach her from a real FreeSWITCH, and a colleague has a telephone. */
import { expect } from 'chai'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { type ApiClient, eventually } from '../../../../server/dist/test/support/api-client.js'
import { type PhoneDialog, hears } from '../../../../server/dist/test/support/phone-dialog.js'
import { TeamBench, type Worker, hearing } from '../../../../server/dist/test/support/team-bench.js'
import { type ConsoleAgent, ConsoleBench } from './console-bench.js'
import { faulty, streamIsOpen } from './page-faults.js'
import { pageHears, singing } from './page-sound.js'

export const callerHz = 440
export const annaHz = 900
export const benHz = 1_300

/** Waits until what a party hears has no tone in it any more. */
export async function silent(dialog: PhoneDialog, hz: number): Promise<void> {
  await eventually(
    async () => Promise.resolve(hears(dialog, hz)),
    (level) => level < 0.1,
    { what: `${hz} Hz not heard` },
  )
}

export class DeskPhone {
  private constructor(
    readonly team: TeamBench,
    readonly bench: ConsoleBench,
    readonly anna: ConsoleAgent,
    readonly ben: Worker,
    /** Id of the team of both. */
    readonly salesId: string,
    readonly page: Page,
    private readonly problems: string[],
  ) {}

  /** @param prepare what the browser of Anna's page needs beside a voice */
  static async start(
    prepare: (context: BrowserContext) => Promise<void> = async () => Promise.resolve(),
  ): Promise<DeskPhone> {
    const team = await TeamBench.start({ settings: { JACKFIELD_RATE_LIMITS_AUTH: '10000' } })
    const bench = await ConsoleBench.on(team.inbound.bench.workspace)
    const anna = await bench.makeAgent('anna', { display_name: 'Anna Smith' })
    const ben = await team.worker('ben', benHz)
    const { api } = team.phones
    const sales = await api.post('/teams', { name: 'Sales' })
    const salesId = sales.body.id as string
    for (const id of [anna.id, ben.agent.id]) await api.put(`/teams/${salesId}/agents/${id}`)
    // It rings on while a page is looked at in both themes, on a machine that is busy.
    await team.leadsTo('connect_agent', { agent_id: anna.id, timeout: 300 })
    const context = await DeskPhone.browser(bench)
    await prepare(context)
    const { page, problems } = await bench.agent(anna, '/phone', context)
    const desk = new DeskPhone(team, bench, anna, ben, salesId, page, problems)
    await desk.inState('Available')
    return desk
  }

  /** A browser in which Anna speaks. */
  private static async browser(bench: ConsoleBench): Promise<BrowserContext> {
    const context = await bench.context()
    await singing(context, annaHz)
    await faulty(context)
    return context
  }

  async stop(): Promise<void> {
    await this.bench.browser.close()
    await this.team.stop()
  }

  /** Fails by what the page said in its console; what the API refuses is there, too. */
  expectNoProblems(): void {
    const refused = /40[04] \((Bad Request|Not Found)\)/
    expect(this.problems.splice(0).filter((problem) => !refused.test(problem))).to.eql([])
  }

  get dock(): Locator {
    return this.page.getByRole('region', { name: 'Phone' })
  }

  /** Another browser, so that nothing of the first one's is known. */
  async otherBrowser(): Promise<BrowserContext> {
    return DeskPhone.browser(this.bench)
  }

  async apiOf({ username, password }: { username: string; password: string }): Promise<ApiClient> {
    const { api } = this.team.phones
    const credentials = { username, password, device_id: `of-${username}` }
    const { body } = await api.with({ authorization: undefined }).post('/auth/login', credentials)
    return api.with({ authorization: `Bearer ${body.tokens.access_token as string}` })
  }

  async inState(state: string): Promise<void> {
    await this.page.getByRole('button', { name: `Your state: ${state}` }).waitFor()
  }

  /** Nobody has a call, and Ben answers the next one. */
  async isFree(): Promise<void> {
    await this.inState('Available')
    await streamIsOpen(this.page)
    await this.team.ready(this.ben)
  }

  async press(name: string): Promise<void> {
    await this.dock.getByRole('button', { name, exact: true }).click()
  }

  /** A caller for whom Anna's phone rings. */
  async ring(): Promise<PhoneDialog> {
    await this.isFree()
    const caller = await this.team.call(callerHz)
    await this.dock.getByRole('button', { name: 'Answer' }).waitFor()
    return caller
  }

  /** A caller whom Anna talks with. */
  async talk(): Promise<PhoneDialog> {
    const caller = await this.ring()
    await this.press('Answer')
    await this.bothHear(caller)
    return caller
  }

  /** Waits until a caller whose call was answered and Anna hear each other. */
  async bothHear(caller: PhoneDialog, page = this.page): Promise<void> {
    expect(await caller.answered()).to.equal(200)
    await Promise.all([hearing(caller, annaHz, 'the caller hears Anna'), pageHears(page, callerHz)])
  }

  async muteAndUnmute(caller: PhoneDialog): Promise<void> {
    await this.press('Mute')
    await this.dock.getByText('Muted', { exact: true }).waitFor()
    await silent(caller, annaHz)
    await pageHears(this.page, callerHz)
    await this.press('Unmute')
    await hearing(caller, annaHz, 'the caller hears Anna again')
  }

  /** Loads the page anew in a call, which the browser asks about. */
  async reload(): Promise<void> {
    this.page.once('dialog', (dialog) => void dialog.accept())
    await this.page.reload()
  }

  async callId(): Promise<string> {
    return this.team.inbound.lastCallId()
  }
}
