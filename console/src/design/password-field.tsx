import { PasswordInput, type PasswordInputProps } from '@mantine/core'

/** Mantine's own reports no `aria-invalid`, to assistive technology or to our forms. */
export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput {...(Boolean(props.error) && { 'aria-invalid': true })} {...props} />
}
