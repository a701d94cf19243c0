/** How pages of the documentation look, in light and dark. */
export const docStyle = `
:root{color-scheme:light dark;--text:#1f2328;--dim:#57606a;--line:#d0d7de;--back:#fff;--code:#f3f5f7;--link:#1864ab}
@media (prefers-color-scheme:dark){:root{--text:#d5d7da;--dim:#a3a9b0;--line:#41464d;--back:#1f2124;--code:#2b2e33;--link:#74b8f5}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:16px/1.6 system-ui,sans-serif}
a{color:var(--link)}
.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--back);padding:8px}
header{display:flex;justify-content:space-between;padding:14px 24px;border-bottom:1px solid var(--line);font-weight:600}
header a{text-decoration:none}
.columns{display:flex;max-width:1180px;margin:0 auto}
nav{flex:0 0 250px;padding:16px 16px 48px 24px;font-size:14px}
nav summary{display:none}nav p{margin:18px 0 4px;font-weight:600;color:var(--dim)}
nav ul{list-style:none;margin:0;padding:0}nav a{display:block;padding:3px 8px;border-radius:6px;text-decoration:none}
nav a[aria-current]{background:var(--code);font-weight:600}
main{flex:1;min-width:0;padding:8px 32px 80px;max-width:860px;outline:none;overflow-wrap:break-word}
h1,h2,h3{line-height:1.25;scroll-margin-top:12px}h2{margin-top:2em;padding-bottom:.2em;border-bottom:1px solid var(--line)}
code{background:var(--code);border-radius:4px;padding:.1em .35em;font:.875em ui-monospace,monospace}
pre{background:var(--code);border-radius:8px;padding:14px;overflow:auto}pre code{padding:0;background:none}
.table{overflow-x:auto;margin:1em 0}table{border-collapse:collapse;font-size:.94em}
th,td{border:1px solid var(--line);padding:6px 10px;text-align:left;vertical-align:top}th{background:var(--code)}
blockquote{margin:1em 0;padding-left:14px;border-left:4px solid var(--line);color:var(--dim)}
@media (max-width:800px){.columns{display:block}nav{padding:8px 24px}nav summary{display:block;padding:8px 0;font-weight:600}main{padding:0 24px 60px}}
`.replaceAll('\n', '')
