/** Design tokens: all colours, sizes and radii. */
import { type CSSVariablesResolver, createTheme } from '@mantine/core'
import { common } from '../i18n/common'
import { textOf } from '../i18n/texts'
import { decimalSeparator } from './figures'

export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Code", "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '600' },
  components: {
    Table: { defaultProps: { verticalSpacing: 'xs' } },
    // A <header> in a dialog would become a banner landmark of the page.
    Modal: {
      defaultProps: () => ({
        centered: true,
        attributes: { header: { role: 'none' } },
        styles: { title: { fontWeight: 600 } },
        closeButtonProps: { 'aria-label': textOf(common, 'close') },
      }),
    },
    Notification: {
      defaultProps: () => ({ closeButtonProps: { 'aria-label': textOf(common, 'close') } }),
    },
    // Fields side by side align, with and without a hint.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'error', 'description'] } },
    // A hint below a list would look like part of its last entry.
    CheckboxGroup: { defaultProps: { inputWrapperOrder: ['label', 'description', 'input', 'error'] } },
    PasswordInput: {
      defaultProps: () => ({
        visibilityToggleButtonProps: { 'aria-label': textOf(common, 'showPassword') },
      }),
    },
    // As the tables write figures: what is copied from them can be pasted, in German `1.234,5`.
    NumberInput: {
      defaultProps: () => ({
        decimalSeparator: decimalSeparator(),
      }),
    },
    Tooltip: { defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: true } } },
  },
})

/**
 * Mantine's dimmed text and links fall short of 4.5 : 1 (WCAG 2.2, 1.4.3). Its red of buttons without a background is
 * nearly white in dark: what deletes would look like everything else.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5a6168',
    '--mantine-color-placeholder': '#6a7178',
    '--mantine-color-error': '#c21e1e',
    '--mantine-color-anchor': '#1864ab',
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb5',
    '--mantine-color-placeholder': '#9aa1a9',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#74c0fc',
    '--mantine-color-red-light-color': 'var(--mantine-color-red-4)',
  },
})
