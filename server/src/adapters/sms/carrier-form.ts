/**
 * The form of a kind's settings, and the description of it from which console and command line are drawn. It names keys of
 * texts: the words are the console's.
 */
import type { TSchema } from 'typebox'

/** Inputs that a schema does not imply. */
type Editor = 'url' | 'text' | 'country' | 'headers' | 'ton' | 'npi'

export interface FormField {
  /** Path of the setting: `inbound.from`. */
  readonly name: string
  /** Key of its label; the last part of the path by default. */
  readonly label?: string
  /** Key of the text below it; the console shows `<label>Hint` where it has that text. */
  readonly hint?: string
  readonly editor?: Editor
  /** Keys of values whose own name is not the key, or `verbatim`: values are shown as they are. */
  readonly words?: Readonly<Record<string, string>> | 'verbatim'
  /** False where an empty text means something. */
  readonly required?: false
  /** Fields of lists with the same key share no word, whatever its case. */
  readonly distinct?: string
}

export interface FormSection {
  /** Key of its heading. */
  readonly title: string
  readonly hint?: string
  readonly fields: readonly (string | FormField)[]
}

export interface CarrierForm {
  /** What a new carrier is asked for; all other settings have defaults, and are on its page. */
  readonly first: readonly string[]
  /** What these fields begin with, where it is not the default. */
  readonly examples?: Readonly<Record<string, unknown>>
  readonly sections: readonly FormSection[]
  /** Flags of the command line, by setting: what their help says. Other settings come from a file. */
  readonly flags: Readonly<Record<string, string>>
}

type InputType = Editor | 'line' | 'number' | 'flag' | 'tags' | 'choice' | 'meanings' | 'secret'

export interface DescribedField {
  readonly path: string
  readonly label: string
  readonly hint?: string
  readonly type: InputType
  /** Neither empty nor absent; of secrets the server says it. */
  readonly required?: true
  /** An empty input means null. */
  readonly nullable?: true
  /** Values are numbers, though they are typed or chosen as texts. */
  readonly numeric?: true
  readonly distinct?: string
  /** Of a choice; without a label a value is shown as it is. Of meanings: what words can mean. */
  readonly choices?: readonly { readonly value: string; readonly label?: string }[]
  readonly preset?: unknown
}

export interface DescribedKind {
  readonly kind: string
  readonly first: readonly string[]
  readonly examples: Readonly<Record<string, unknown>>
  /** Objects that are null while all their fields are empty. */
  readonly optional: readonly string[]
  readonly sections: readonly {
    readonly title: string
    readonly hint?: string
    readonly fields: readonly DescribedField[]
  }[]
  readonly flags: readonly {
    readonly name: string
    readonly help: string
    readonly type: InputType
    readonly values: readonly string[]
    readonly required: boolean
  }[]
}

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema
  readonly default?: unknown
}

interface Described {
  readonly kind: string
  readonly input: TSchema
  readonly secrets: readonly string[]
  readonly form: CarrierForm
}

/** @throws for a field that is no setting */
export function describedKind({ kind, input, secrets, form }: Described): DescribedKind {
  const settings = (input as Schema).properties ?? {}
  const described = (field: string | FormField) =>
    describedField(typeof field === 'string' ? { name: field } : field, settings, secrets)
  const sections = form.sections.map(({ fields, ...section }) => ({
    ...section,
    fields: fields.map(described),
  }))
  const all = new Map(sections.flatMap(({ fields }) => fields.map((field) => [field.path, field])))
  const flags = Object.entries(form.flags).map(([name, help]) => {
    const { type, nullable = false, choices = [] } = all.get(name) ?? described(name)
    const required = settings[name]?.default === undefined && !nullable
    return { name, help, type, values: choices.map(({ value }) => value), required }
  })
  const optional = Object.keys(settings).filter(
    (name) => settings[name]?.properties && typesOf(settings[name]).includes('null'),
  )
  return { kind, first: form.first, examples: form.examples ?? {}, optional, sections, flags }
}

function describedField(
  { name, label, hint, editor, words = {}, required, distinct }: FormField,
  settings: Readonly<Record<string, Schema>>,
  secrets: readonly string[],
): DescribedField {
  const [own, ...above] = name.split('.').reverse()
  const [schema, isOptional] = schemaAt(settings, name)
  const type = editor ?? (secrets.includes(name) ? 'secret' : inputOf(schema))
  const types = typesOf(schema)
  const isNullable = types.includes('null')
  const choices = choicesOf(schema).map((value) =>
    words === 'verbatim' ? { value } : { value, label: words[value] ?? value },
  )
  const isNeeded =
    required !== false && !isNullable && !isOptional && ['line', 'url', 'text', 'number'].includes(type)
  return {
    ...{ path: name, label: label ?? own ?? '', ...(hint && { hint }), type },
    ...(isNeeded && schema.default !== '' && { required: true }),
    ...(isNullable && { nullable: true }),
    ...((types.includes('integer') || typesOf(schema.items ?? {}).includes('integer')) && { numeric: true }),
    ...(distinct && { distinct }),
    ...(choices.length > 0 && { choices }),
    ...(above.length === 0 && schema.default !== undefined && { preset: schema.default }),
  }
}

/** The schema of a setting, and whether it is in an object that may be null. */
function schemaAt(settings: Readonly<Record<string, Schema>>, path: string): [Schema, isOptional: boolean] {
  let schema: Schema = { properties: settings }
  let isOptional = false
  for (const name of path.split('.')) {
    isOptional ||= typesOf(schema).includes('null')
    const within = schema.properties?.[name]
    if (!within) throw new Error(`${path} is no setting`)
    schema = within
  }
  return [schema, isOptional]
}

function inputOf(schema: Schema): InputType {
  if (schema.enum) return 'choice'
  const [type] = typesOf(schema)
  switch (type) {
    case 'string':
      return 'line'
    case 'integer':
      return 'number'
    case 'boolean':
      return 'flag'
    case 'array':
      return 'tags'
    case 'object':
      if (schema.additionalProperties?.enum) return 'meanings'
  }
  throw new Error(`no input for ${JSON.stringify(schema)}: name an editor`)
}

function choicesOf(schema: Schema): string[] {
  return (schema.enum ?? schema.additionalProperties?.enum ?? []).map(String)
}

function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : [type].flat()
}
