/** Bodies of requests, with placeholders such as `{{to}}` in their values. */
import type { HttpCarrierSettings } from './settings.js'

/** Placeholders of a body. Numbers are written as the settings say; `segments` is the number of priced segments. */
export interface TemplateValues {
  readonly from: string
  readonly to: string
  readonly body: string
  /** Ours: `msg_…`. */
  readonly message_id: string
  readonly encoding: string
  readonly segments: number
  readonly media_urls: readonly string[]
}

export const placeholders = [
  ...(['from', 'to', 'body', 'message_id', 'encoding', 'segments', 'media_urls'] as const),
] satisfies (keyof TemplateValues)[]

/** Makes the body of a request. */
export type Template = (values: TemplateValues) => string

/** The problem of a template, to follow the name of its field. */
export class TemplateError extends Error {}

/** @throws {TemplateError} */
export function compileTemplate({
  content_type,
  body,
}: Pick<HttpCarrierSettings, 'content_type' | 'body'>): Template {
  return content_type === 'application/json' ? compileJson(body) : compileForm(body)
}

function compileForm(body: string): Template {
  const fields = [...new URLSearchParams(body)].map(([name, value]) => {
    if (name.includes('{{')) throw new TemplateError('must not have placeholders in names, only in values')
    return { name, valueOf: compileValue(value) }
  })
  return (values) => {
    const form = new URLSearchParams()
    for (const { name, valueOf } of fields) {
      const value = valueOf(values)
      for (const one of Array.isArray(value) ? value : [value]) form.append(name, String(one))
    }
    return form.toString()
  }
}

function compileJson(body: string): Template {
  const document = parsed(body)
  if (typeof document !== 'object' || document === null)
    throw new TemplateError('must be a JSON object or array')
  const valueOf = compileMember(document)
  return (values) => JSON.stringify(valueOf(values))
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw new TemplateError(`must be JSON, with placeholders in its strings: ${(error as Error).message}`)
  }
}

type ValueOf = (values: TemplateValues) => unknown

function compileMember(member: unknown): ValueOf {
  if (typeof member === 'string') return compileValue(member)
  if (Array.isArray(member)) {
    const items = member.map(compileMember)
    return (values) => items.map((valueOf) => valueOf(values))
  }
  if (typeof member !== 'object' || member === null) return () => member
  const members = Object.entries(member).map(([name, value]) => {
    if (name.includes('{{')) throw new TemplateError('must not have placeholders in names, only in values')
    return { name, valueOf: compileMember(value), isMedia: value === '{{media_urls}}' }
  })
  return (values) =>
    Object.fromEntries(
      members
        .filter(({ isMedia }) => !isMedia || values.media_urls.length > 0)
        .map(({ name, valueOf }) => [name, valueOf(values)]),
    )
}

/** A value is a text with placeholders in it, or the value of one placeholder. */
function compileValue(text: string): ValueOf {
  if (text === '{{media_urls}}') return ({ media_urls }) => media_urls
  if (text === '{{segments}}') return ({ segments }) => segments
  // Splitting by a group puts the placeholders' names at the odd positions.
  const parts = text
    .split(/\{\{(.*?)\}\}/s)
    .map((part, index) => (index % 2 === 0 ? part : placeholderOf(part)))
  return (values) =>
    parts.map((part) => (typeof part === 'string' ? part : String(values[part.name]))).join('')
}

function placeholderOf(text: string): { readonly name: keyof TemplateValues } {
  const name = placeholders.find((one) => one === text.trim())
  if (!name) {
    const known = placeholders.map((one) => `{{${one}}}`).join(', ')
    throw new TemplateError(`has the unknown placeholder {{${text.slice(0, 40)}}}: there are ${known}`)
  }
  if (name === 'media_urls')
    throw new TemplateError('must have {{media_urls}} as a value of its own: it is a list')
  return { name }
}
