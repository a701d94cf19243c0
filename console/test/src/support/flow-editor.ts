/** The editor of a flow as people use it. */
import { expect } from 'chai'
import type { Locator, Page } from 'playwright-core'
import type { ConsoleBench, OpenPage } from './console-bench.js'

export interface FlowNode {
  id: string
  type: string
  params: Record<string, unknown>
  next: Record<string, string>
  position?: { x: number; y: number }
}

export type SentNode = Pick<FlowNode, 'id' | 'type'> & Partial<FlowNode>

const title = 'Main menu'

export class FlowEditor {
  private constructor(
    private readonly bench: ConsoleBench,
    readonly id: string,
    readonly opened: OpenPage,
  ) {}

  /** Makes a flow, and opens it. */
  static async of(
    bench: ConsoleBench,
    nodes: readonly SentNode[],
    { view = 'drawing', context }: { view?: 'drawing' | 'list'; context?: OpenPage['context'] } = {},
  ): Promise<FlowEditor> {
    const made = await bench.workspace.api.post('/call-flows', { title, trigger_type: 'inbound', nodes })
    expect(made.status, JSON.stringify(made.body)).to.equal(201)
    const id = made.body.id as string
    const opened = await bench.admin(`/flows/${id}?view=${view}`, context)
    const editor = new FlowEditor(bench, id, opened)
    await opened.page.getByRole('heading', { level: 1, name: title }).waitFor()
    // Sixty steps take their time on a busy machine.
    if (view === 'drawing') await editor.step(/^Start/).waitFor({ timeout: 60_000 })
    return editor
  }

  /** The flow that a page has open. */
  static async on(bench: ConsoleBench, opened: OpenPage): Promise<FlowEditor> {
    await opened.page.waitForURL(/\/flows\/cf_/)
    return new FlowEditor(bench, /cf_\w+/.exec(opened.page.url())?.[0] ?? '', opened)
  }

  get page(): Page {
    return this.opened.page
  }

  /** A step in the drawing. */
  step(name: RegExp): Locator {
    return this.page.getByRole('group', { name }).and(this.page.locator('.react-flow__node'))
  }

  get settings(): Locator {
    return this.page.getByRole('region', { name: 'Settings of the step' })
  }

  get palette(): Locator {
    return this.page.getByRole('dialog', { name: 'Add a step' })
  }

  /** Adds a step behind an outcome of another, by the plus beside it. */
  async addAfter(step: string, outcome: string, type: string): Promise<void> {
    await this.page
      .getByRole('button', { name: `Add a step after ${step}, on ${outcome}` })
      .first()
      .click()
    await this.choose(type)
  }

  /** Chooses what is to be added. */
  async choose(type: string): Promise<void> {
    await this.palette.getByLabel('Find a type of step').fill(type)
    await this.palette
      .getByRole('button', { name: new RegExp(`^${type}`) })
      .first()
      .click()
    await this.palette.waitFor({ state: 'detached' })
  }

  /** Pastes a text, as the browser tells of it. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate((value) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', value)
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)
  }

  /** Saves the draft by its key, and publishes it. */
  async save(): Promise<void> {
    await this.page.keyboard.press('Control+s')
    await this.page.getByText(/· Draft saved$/).waitFor()
    await this.publish()
  }

  async publish(): Promise<void> {
    await this.page.getByRole('button', { name: 'Publish', exact: true }).click()
    await this.page.getByText(/· Published$/).waitFor()
  }

  /** The steps of the draft, if there is one. */
  async draft(): Promise<FlowNode[]> {
    const { body } = await this.bench.workspace.api.get(`/call-flows/${this.id}/draft`)
    return (body.nodes ?? []) as FlowNode[]
  }

  /** What is published. */
  async saved(): Promise<FlowNode[]> {
    return (await this.bench.workspace.api.get(`/call-flows/${this.id}`)).body.nodes as FlowNode[]
  }
}

/** How many steps reach out of the drawing. */
export async function stepsOutside(page: Page, which = '.react-flow__node'): Promise<number> {
  return page.evaluate((selector) => {
    const pane = document.querySelector('.jf-flow')!.getBoundingClientRect()
    return [...document.querySelectorAll(selector)].filter((step) => {
      const { left, right, top, bottom } = step.getBoundingClientRect()
      return left < pane.left || right > pane.right || top < pane.top || bottom > pane.bottom
    }).length
  }, which)
}
