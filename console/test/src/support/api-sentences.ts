/** Every sentence by which the server refuses something, as its source writes them: placeholders are `{…}`. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const source = fileURLToPath(new URL('../../../../server/src/', import.meta.url))

/** Calls that make an error of a sentence, and which of their arguments that is. */
const refusals = new Map([
  ...['badRequest', 'conflict', 'forbidden', 'notFound', 'unauthorized', 'UnavailableError'].map(
    (name) => [name, 0] as const,
  ),
  ['ApiError', 1] as const,
])
/** Calls that make an error of a field and a rule. */
const fieldRules = new Map([
  ...['invalidField', 'problem', 'nodeProblem', 'refuse', 'problemOf', 'patterned', 'report'].map(
    (name) => [name, 1] as const,
  ),
])
/** Properties whose values are rules. */
const ruleProperties = new Set(['messages', 'x-rule', 'problem'])
/** Files where `problem` is what is wrong with a field. */
const ofProblems = /^(adapters\/sms|features\/messages)/
/** Sentences around a rule that is another text of the source: `{field} must {broken}`. */
const isFrame = (text: string) =>
  /^(settings\.)?\w*( must( not)?( be)?)?(: the operator sets these bounds|, or \*)?$/.test(
    text
      .replaceAll(/\{[^{}]*\}/g, '')
      .replaceAll(/^[\w.]*(?= must)/g, '')
      .replace(/^must/, ' must')
      .replaceAll(/ +(?=$| |:|,)/g, ''),
  )
/** Files whose calls of these names are something else. */
const others =
  /^(sandbox|config|adapters\/(freeswitch|speech)|app\/modules|bin|features\/calls\/(clients|recovery|session|cluster|dialling|media-streams\/(tap|two-way))|features\/platform|infrastructure\/(database|resources\/in-use))/

export interface ApiSentence {
  readonly file: string
  /** `rule`: of a field, mostly beginning with its name; `refusal`: of a request. */
  readonly kind: 'rule' | 'refusal'
  readonly text: string
}

export function apiSentences(): ApiSentence[] {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) =>
      ts.createSourceFile(name, readFileSync(join(source, name), 'utf8'), ts.ScriptTarget.Latest, true),
    )
  const found = new Map<string, ApiSentence>()
  const exported = exportedFunctions(files)
  for (const file of files) {
    const keep = (kind: ApiSentence['kind'], at: ts.Expression | undefined, before = '') => {
      for (const rule of at ? textsOf(at, file, exported) : []) {
        const text = before + rule
        if (!isFrame(text)) found.set(`${kind} ${text}`, { file: file.fileName, kind, text })
      }
    }
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
        const name = node.expression.getText().split('.').at(-1) ?? ''
        const at = refusals.get(name)
        if (at !== undefined) keep('refusal', node.arguments?.[at])
        const rule = others.test(file.fileName) ? undefined : fieldRules.get(name)
        if (rule !== undefined) keep('rule', node.arguments?.[rule], name === 'patterned' ? 'must be ' : '')
      }
      if (ts.isPropertyAssignment(node)) {
        const name = node.name.getText().replaceAll("'", '')
        if (
          ruleProperties.has(name) &&
          !others.test(file.fileName) &&
          (name !== 'problem' || ofProblems.test(file.fileName))
        )
          keep('rule', node.initializer, name === 'x-rule' ? 'must be ' : '')
        if (name === 'taken') keep('refusal', node.initializer)
      }
      // What a rule breaks, to follow "must".
      if (
        !others.test(file.fileName) &&
        ts.isFunctionDeclaration(node) &&
        /^broken[A-Z]?\w*$/.test(node.name?.text ?? '')
      )
        for (const rule of declaredIn(file, node.name?.text ?? '')) keep('rule', rule, 'must ')
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return [...found.values()]
}

/** What an expression can be, as far as the file says. */
function textsOf(node: ts.Expression, file: ts.SourceFile, exported: Exported, depth = 0): string[] {
  if (depth > 4) return []
  const inner = (one: ts.Expression) => textsOf(one, file, exported, depth + 1)
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isTemplateExpression(node)) return [templateOf(node)]
  if (ts.isConditionalExpression(node)) return [...inner(node.whenTrue), ...inner(node.whenFalse)]
  if (ts.isBinaryExpression(node)) return [...inner(node.left), ...inner(node.right)]
  if (ts.isParenthesizedExpression(node)) return inner(node.expression)
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(inner)
  if (ts.isArrowFunction(node)) return ts.isBlock(node.body) ? [] : inner(node.body)
  if (ts.isIdentifier(node)) return declaredIn(file, node.text).flatMap(inner)
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    const { text: name } = node.expression
    const own = declaredIn(file, name)
    return (own.length > 0 ? own : (exported.get(name) ?? [])).flatMap(inner)
  }
  return []
}

function templateOf(node: ts.TemplateExpression): string {
  return (
    node.head.text +
    node.templateSpans
      .map(({ expression, literal }) => `{${expression.getText().replaceAll(/\s+/g, ' ')}}${literal.text}`)
      .join('')
  )
}

/** Values of the file's own constants, and of what its functions answer. */
function declaredIn(file: ts.SourceFile, name: string): ts.Expression[] {
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === name && node.initializer)
      found.push(node.initializer)
    else if (ts.isFunctionDeclaration(node) && node.name?.text === name) returned(node)
    ts.forEachChild(node, visit)
  }
  const returned = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression)
    ts.forEachChild(node, returned)
  }
  visit(file)
  return found
}

/** Names of all fields that a request's body may hold. */
export function bodyFields(): string[] {
  const path = fileURLToPath(new URL('../../../../sdk/src/openapi.ts', import.meta.url))
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const names = new Set<string>()
  const visit = (node: ts.Node, isBody: boolean): void => {
    const name = ts.isPropertySignature(node) ? node.name.getText().replaceAll(/['"]/g, '') : ''
    if (isBody && /^[a-z_0-9]+$/.test(name)) names.add(name)
    ts.forEachChild(node, (child) => visit(child, isBody || name === 'requestBody'))
  }
  visit(file, false)
  names.delete('content')
  return [...names]
}

/** What exported functions answer, by their names. */
type Exported = ReadonlyMap<string, readonly ts.Expression[]>

function exportedFunctions(files: readonly ts.SourceFile[]): Exported {
  const found = new Map<string, ts.Expression[]>()
  for (const file of files)
    for (const statement of file.statements) {
      const isExported =
        ts.isFunctionDeclaration(statement) &&
        statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      const name = isExported ? statement.name?.text : undefined
      if (name !== undefined) found.set(name, declaredIn(file, name))
    }
  return found
}
