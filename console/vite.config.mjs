import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/**
 * Where the API is. `npm run dev` at the root names its server: each workspace is seen at its own host. By itself, `vite`
 * shows the workspace of one address.
 */
const own = process.env.JACKFIELD_DEV_SERVER
const server = own ?? process.env.JACKFIELD_URL ?? 'http://acme.localhost:8080'
const proxied = { target: server, changeOrigin: own === undefined, ws: true }

const outDir = fileURLToPath(new URL('dist/app', import.meta.url))

/**
 * The server sends files as they were packed here: it never packs one while somebody waits.
 * @returns {import('vite').Plugin}
 */
function packed() {
  return {
    name: 'packed',
    apply: 'build',
    writeBundle() {
      for (const name of readdirSync(outDir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(html|js|css|svg)$/.test(name)) continue
        const path = join(outDir, name)
        const content = readFileSync(path)
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
        writeFileSync(`${path}.br`, brotliCompressSync(content))
      }
    },
  }
}

/**
 * Has each of Mantine's components bring its own styles: those of all of them are 36 kB, a page needs a third.
 * @returns {import('vite').Plugin}
 */
function stylesOfComponents() {
  return {
    name: 'styles-of-components',
    apply: 'build',
    transform: {
      filter: { id: /@mantine\/core\/esm\/.*\.module\.mjs$/ },
      handler(code, id) {
        const styles = `@mantine/core/styles/${basename(id, '.module.mjs')}.layer.css`
        return { code: `import '${styles}'\n${code}`, map: null }
      },
    },
  }
}

/**
 * `virtual:headings`: of each table of `locales/en.json` its `heading` alone. The menu has them, while the texts of a page come
 * with the page.
 * @returns {import('vite').Plugin}
 */
function headings() {
  const features = fileURLToPath(new URL('src/features/', import.meta.url))
  const headingOf = (/** @type {Record<string, unknown>} */ { heading }) => ({ heading })
  return {
    name: 'headings',
    resolveId: (id) => (id === 'virtual:headings' ? '\0headings' : undefined),
    load(id) {
      if (id !== '\0headings') return undefined
      const all = readdirSync(features).map((feature) => `${feature}/locales/en.json`)
      const files = all
        .filter((file) => existsSync(join(features, file)))
        .map((file) => {
          const path = join(features, file)
          this.addWatchFile(path)
          const texts = JSON.parse(readFileSync(path, 'utf8'))
          const groups = Object.entries(texts).filter(([, table]) => table.heading !== undefined)
          const own = groups.map(([group, table]) => [group, headingOf(table)])
          return [file, texts.heading === undefined ? Object.fromEntries(own) : headingOf(texts)]
        })
      return `export default ${JSON.stringify(Object.fromEntries(files))}`
    },
  }
}

/** While developing all of them come at once: components are served in one piece there. */
const allStyles = { '@mantine/core/styles/global.layer.css': '@mantine/core/styles.layer.css' }

/** What only forms need: most pages open one only when they are asked to. */
const ofForms = [/@mantine.form|klona|fast-deep-equal|src.design.forms/]

/** Numbering plans come after the first number; a feature's own modules with its pages. */
const isShared = (/** @type {string} */ id) => !oneOf(ofForms)(id) && !/libphonenumber|src.features/.test(id)

/** What the pages before the sign-in need. */
const ofEntrance = [
  /src.session.(pages.outside|workspace-title|site)|src.design.password-field|react-query.*useMutation/,
  /@mantine.core.*components.(Anchor|Center|Paper|SegmentedControl|TextInput)/,
]

/** What is around every other page, and drawn at once. */
const ofFrame = [
  /src.app.(menu|people|workspace-title|palette.use-keys)|src.design.offline-banner|react-router.*useLocation/,
  /@mantine.modals|@mantine.core.*components.(AppShell|Burger|Collapse|Kbd|NavLink)/,
]

/** What is around them, and comes after the page (`src/features/shell-parts.ts`, `src/app/shell.tsx`). */
const ofParts = [
  /components.(call-dock|missed-badge|new-badge|presence-menu|unread-link)|src.app.(account-menu|documentation-link)/,
  /@mantine.notifications/,
]

/**
 * Many small chunks pack worse than a large one, and each is a request, of which a browser has six at a time over HTTP/1.1.
 * What matches is one chunk, with all that it needs and that none of a higher priority has.
 */
const codeSplitting = {
  groups: [
    { name: 'first', tags: ['$initial'], priority: 7 },
    { name: 'entrance', test: oneOf(ofEntrance), priority: 6 },
    { name: 'kit', minShareCount: 24, test: isShared, priority: 5 },
    { name: 'frame', test: oneOf(ofFrame), priority: 4 },
    { name: 'forms', test: oneOf(ofForms), priority: 3 },
    { name: 'more', minShareCount: 8, test: isShared, priority: 2 },
    { name: 'parts', test: oneOf(ofParts), priority: 1 },
  ],
}

/** @param {readonly RegExp[]} patterns */
function oneOf(patterns) {
  return (/** @type {string} */ id) => patterns.some((pattern) => pattern.test(id))
}

export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), headings(), stylesOfComponents(), packed()],
  resolve: { alias: command === 'serve' ? allStyles : {} },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2023',
    manifest: true,
    chunkSizeWarningLimit: 900,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting } },
  },
  server: { proxy: { '/api': proxied, '/health': proxied } },
}))
