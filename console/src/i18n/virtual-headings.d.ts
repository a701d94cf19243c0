/** By the files' paths. */
declare module 'virtual:headings' {
  const files: import('./tables').Translations
  export default files
}
