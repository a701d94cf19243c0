/** The documentation: `docs/*.md` of this checkout or image as pages at `/docs`, in the version that runs here. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, normalize, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import Router from '@koa/router'
import type Koa from 'koa'
import MarkdownIt from 'markdown-it'
import { docStyle } from './doc-style.js'
import { notFound } from './errors.js'

/** At the root of the checkout, and of the image. */
const docsDirectory = fileURLToPath(new URL('../../../../../docs/', import.meta.url))

const prefix = '/docs'
/** Paths without their ending: `console/flows`. Nothing else is looked for on the disk. */
const pagePath = /^(?:[a-z0-9-]+\/)*[A-Za-z0-9-]+$/

const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** @param directory with `README.md`, which lists the pages */
export function docPages(directory = docsDirectory): Router {
  const rendered = new Map<string, Promise<string>>()
  const router = new Router()
  const show = async (ctx: Koa.Context, path: string) => {
    if (!pagePath.test(path) || !existsSync(join(directory, `${path}.md`)))
      throw notFound('No such page of the documentation')
    let page = rendered.get(path)
    if (!page) {
      page = pageOf(directory, path)
      rendered.set(path, page)
      page.catch(() => rendered.delete(path))
    }
    ctx.type = 'html'
    ctx.set({
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-cache',
    })
    ctx.body = await page
  }
  router.get(prefix, async (ctx) => show(ctx, 'README'))
  router.get(`${prefix}/{*path}`, async (ctx) =>
    show(ctx, ctx.path.slice(prefix.length + 1).replace(/(?:\.md|\/)$/, '')),
  )
  return router
}

async function pageOf(directory: string, path: string): Promise<string> {
  const [text, index] = await Promise.all([
    readFile(join(directory, `${path}.md`), 'utf8'),
    readFile(join(directory, 'README.md'), 'utf8'),
  ])
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path
  const has = (page: string) => existsSync(join(directory, `${page}.md`))
  const menu = menuOf(index, path)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Jackfield</title>
<style>${docStyle}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><a href="${prefix}">Jackfield documentation</a><a href="/">Console</a></header>
<div class="columns">
<nav aria-label="Pages"><details open><summary>Pages</summary>${menu}</details></nav>
<main id="content" tabindex="-1">${markdownOf(path, has).render(text)}</main>
</div>
</body>
</html>
`
}

/** The pages by the headings of the index. */
function menuOf(index: string, here: string): string {
  const parts = index.split(/^## /m).slice(1)
  return parts
    .map((part) => {
      const heading = part.split('\n', 1)[0]?.split(':', 1)[0] ?? ''
      const items = [...part.matchAll(/^- \[([^\]]+)\]\(([^)#]+)\.md\)/gm)].map(
        ([, name = '', path = '']) => {
          const current = path === here ? ' aria-current="page"' : ''
          return `<li><a href="${prefix}/${escaped(path)}"${current}>${escaped(name)}</a></li>`
        },
      )
      return items.length === 0 ? '' : `<p>${escaped(heading)}</p><ul>${items.join('')}</ul>`
    })
    .join('')
}

/** @param path of the page, which links are relative to */
function markdownOf(path: string, has: (page: string) => boolean): MarkdownIt {
  const markdown = new MarkdownIt({ html: false, linkify: false })
  const used = new Map<string, number>()
  const { rules } = markdown.renderer
  rules.heading_open = (tokens, index, options, _, renderer) => {
    const token = tokens[index]
    token?.attrSet('id', anchorOf(tokens[index + 1]?.content ?? '', used))
    return renderer.renderToken(tokens, index, options)
  }
  rules.table_open = () => '<div class="table" tabindex="0" role="region" aria-label="Table"><table>'
  rules.table_close = () => '</table></div>'
  rules.link_open = (tokens, index, options, _, renderer) => {
    const token = tokens[index]
    const target = linkOf(path, token?.attrGet('href') ?? '', has)
    if (target === null) token?.attrs?.splice(0)
    else token?.attrSet('href', target)
    return renderer.renderToken(tokens, index, options)
  }
  return markdown
}

/** Where a link leads here; null for files that are not served, such as those of the source. */
export function linkOf(path: string, href: string, has: (page: string) => boolean): string | null {
  if (/^(https?:|mailto:|#)/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const page = normalize(posix.join(dirname(path), file)).replace(/\.md$/, '')
  if (!file.endsWith('.md') || page.startsWith('..') || !has(page)) return null
  const address = page === 'README' ? prefix : `${prefix}/${page}`
  return anchor === undefined ? address : `${address}#${anchor}`
}

/** As GitHub makes anchors of headings, so that the links of the sources lead there. */
export function anchorOf(heading: string, used: Map<string, number>): string {
  const base = heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
  const times = used.get(base) ?? 0
  used.set(base, times + 1)
  return times === 0 ? base : `${base}-${String(times)}`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
