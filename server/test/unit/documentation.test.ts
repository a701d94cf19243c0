/** Links of the documentation lead somewhere, the index has every page, and the code names pages that exist. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, relative } from 'node:path'
import { expect } from 'chai'
import Koa from 'koa'
import { docPages } from '../../src/infrastructure/http/doc-pages.js'
import { ApiError } from '../../src/infrastructure/http/errors.js'
import { pathOf } from '../support/paths.js'

const root = pathOf('')
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', '.github/PULL_REQUEST_TEMPLATE.md'],
  ...['kamailio-conf/README.md', 'installer/docker/files/README.md'],
  ...filesIn('docs', /\.md$/),
]

/** A page as code names it, with a heading or without; nothing within a URL. */
const pageNames = /(?<!https?:[^\s'"`]*)\bdocs\/[\w./-]*\.md\b(?:#[\w-]+)?/g

describe('documentation', () => {
  it('has links and anchors that lead somewhere', () => {
    const broken = pages.flatMap((page) => linksOf(page).flatMap((link) => problemOf(page, link)))
    expect(broken).to.deep.equal([])
  })

  it('has every page in an index', () => {
    const listed = new Set(['docs/README.md', ...targetsOf('docs/README.md')])
    for (const page of listed)
      if (page.endsWith('/README.md')) for (const target of targetsOf(page)) listed.add(target)
    expect(pages.filter((page) => page.startsWith('docs/') && !listed.has(page))).to.deep.equal([])
  })

  it('has the pages that the code names', () => {
    const folders = [
      '.ci',
      'bench',
      'cli',
      'console',
      'freeswitch-conf',
      'installer',
      'kamailio-conf',
      'sdk',
      'server',
    ]
    const files = [
      ...folders.flatMap((folder) =>
        filesIn(folder, /\.(ts|tsx|m?js|cjs|md|json|ya?ml|sh|cfg|xml|html)$|Dockerfile$/),
      ),
      ...readdirSync(root).filter((name) => /\.(md|ya?ml|json|mjs|cjs)$/.test(name)),
    ]
    const named = files.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(pageNames)].map(([link]) => ({ file, link })),
    )
    expect(named).to.not.be.empty
    expect(named.flatMap(({ file, link }) => problemOf('README.md', link, file))).to.deep.equal([])
  })
})

describe('the documentation that the appliance serves', () => {
  let server: Server
  before(async () => {
    const app = new Koa()
    app.use(async (ctx, next) => {
      await next().catch((error: unknown) => {
        ctx.status = error instanceof ApiError ? error.status : 500
      })
    })
    app.use(docPages(pathOf('docs')).routes())
    server = app.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  after(() => server.close())

  const page = async (path: string) => {
    const { port } = server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}${path}`)
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }

  it('is a page for each file, whose links and anchors lead to others', async () => {
    const { status, text, headers } = await page('/docs/console/operator')
    expect(status).to.equal(200)
    expect(headers.get('content-security-policy')).to.include("default-src 'none'")
    expect(text).to.include('<h1 id="the-operators-console">').and.to.include('<table>')
    const hrefs = [...text.matchAll(/href="(\/docs[^"]*)"/g)].map(([, href = '']) => href)
    expect(hrefs).to.include('/docs/operate/prices#rate-decks')
    for (const href of new Set(hrefs)) {
      const [path = '', anchor] = href.split('#')
      const target = await page(path)
      expect(target.status, href).to.equal(200)
      if (anchor !== undefined) expect(target.text, href).to.include(`id="${anchor}"`)
    }
    expect((await page('/docs')).text).to.include('href="/docs/install/debian"')
  })

  it('is nothing but that', async () => {
    for (const path of ['/docs/nothing', '/docs/..%2fREADME', '/docs/%2e%2e/package.json', '/docs/console/'])
      expect((await page(path)).status, path).to.equal(404)
  })

  it('has the pages that the console leads to', () => {
    const code = readFileSync(join(root, 'console/src/app/documentation.ts'), 'utf8')
    const named = [...code.matchAll(/'([a-z-]+\/[a-z-]+)(#[\w-]+)?'/g)]
    expect(named.length).to.be.greaterThan(20)
    expect(
      named.flatMap(([, page = '', anchor = '']) => problemOf('README.md', `docs/${page}.md${anchor}`)),
    ).to.deep.equal([])
  })
})

/** Files of a folder whose names match, as paths in the repository; nothing that is installed or built. */
function filesIn(folder: string, names: RegExp): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return /^(node_modules|dist|var)$/.test(entry.name) ? [] : filesIn(path, names)
    return names.test(entry.name) ? [path] : []
  })
}

/** The text of a page without its code. */
const proseOf = (page: string) =>
  readFileSync(join(root, page), 'utf8')
    .replaceAll(/^( *)(```|~~~)[^]*?^\1\2/gm, '')
    .replaceAll(/`[^`\n]+`/g, (code) => code.replaceAll(/[[\]()<>]/g, ''))

/** Targets of its links within the repository. */
function linksOf(page: string): string[] {
  const targets = [...proseOf(page).matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s+(\S+)/gm)]
  return targets.map(([, inline, defined]) => (inline ?? defined)!).filter((link) => !/^[a-z]+:/.test(link))
}

/** The page or file that a link leads to. */
const targetOf = (page: string, link: string) => {
  const [path] = link.split('#')
  return path === '' ? page : relative(root, join(root, page, '..', path!))
}

const targetsOf = (page: string) => linksOf(page).map((link) => targetOf(page, link))

/** @param file that has the link, where it is not the page that the link is relative to */
function problemOf(page: string, link: string, file = page): string[] {
  const target = targetOf(page, link)
  const [, anchor] = link.split('#')
  if (!existsSync(join(root, target))) return [`${file}: ${link} leads to no file`]
  return anchor === undefined || anchorsOf(target).has(anchor) ? [] : [`${file}: ${link} leads to no heading`]
}

/** Anchors as GitHub makes them of headings, and those that are written down. */
function anchorsOf(page: string): Set<string> {
  const prose = proseOf(page)
  const found = new Set([...prose.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => id!))
  const counts = new Map<string, number>()
  for (const [, heading] of prose.matchAll(/^#{1,6} +(.+?)\s*$/gm)) {
    const text = heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = text.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-')
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    found.add(count === 0 ? slug : `${slug}-${count}`)
  }
  return found
}
