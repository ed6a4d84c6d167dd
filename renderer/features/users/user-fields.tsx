import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../shared/domain/failure.ts';
import { MAX_USER_TEXT, userRoles } from '../../../shared/domain/team-user.ts';
import { useLocale } from '../../stores/services.ts';
import { TextField } from '../../ui/fields.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { readPhone, type UserField, type UserForm } from './user-form.ts';

/** Field names on the wire, to show a refusal of the service at the right field. */
const wireNames: Readonly<Record<UserField, string>> = {
  firstName: 'first_name',
  lastName: 'last_name',
  phoneNumber: 'phone_number',
  name: 'name',
  deviceId: 'device_id',
  role: 'role',
};

/** The fields for a user's login type, with their errors. */
export function UserFields({
  form,
  change,
  problems,
  failure,
  roleNow,
}: {
  readonly form: UserForm;
  readonly change: (change: Partial<UserForm>) => void;
  readonly problems: ReadonlyMap<UserField, string>;
  readonly failure: Failure | undefined;
  /** The role at the service; one unknown to this program cannot be selected, and is kept. */
  readonly roleNow?: string | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const errorOf = (field: UserField): string | undefined => {
    const problem = problems.get(field);
    const refused = failure?.fields?.find(({ name }) => name === wireNames[field] || name === field);
    return problem === undefined ? refused?.text : t(problem, { max: MAX_USER_TEXT });
  };
  const text = (
    field: 'firstName' | 'lastName' | 'name' | 'deviceId',
    label: string,
    isCode = false,
  ): ReactNode => (
    <TextField
      label={label}
      value={form[field]}
      onChange={(value) => change({ [field]: value })}
      error={errorOf(field)}
      isCode={isCode}
    />
  );
  return (
    <>
      {form.loginType === 'PHONE_NUMBER' ? (
        <>
          <div className="pair">
            {text('firstName', t('users.firstName'))}
            {text('lastName', t('users.lastName'))}
          </div>
          <PhoneField
            value={form.phoneNumber}
            onChange={(phoneNumber) => change({ phoneNumber })}
            error={errorOf('phoneNumber')}
          />
        </>
      ) : (
        <div className="pair">
          {text('name', t('users.deviceName'))}
          {text('deviceId', t('users.deviceId'), true)}
        </div>
      )}
      <SelectField
        label={t('users.role')}
        description={
          form.role === undefined && roleNow !== undefined ? t('users.roleNow', { role: roleNow }) : undefined
        }
        value={form.role}
        choices={userRoles.map((id) => ({ id, label: t(`users.roles.${id}`) }))}
        onChange={(role) => change({ role })}
        error={errorOf('role')}
      />
    </>
  );
}

function PhoneField({
  value,
  onChange,
  error,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
}): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const phone = readPhone(value);
  // Some countries share a calling code: then only the number is shown
  const known =
    phone.country === undefined
      ? phone.formatted
      : t('users.phoneAs', { country: countryName(phone.country, locale), formatted: phone.formatted });
  // An incomplete number is not expected to exist
  const doubt = phone.isComplete && !phone.isKnown ? ` ${t('users.phoneDoubtful')}` : '';
  return (
    <TextField
      label={t('users.phoneNumber')}
      description={known === undefined ? t('users.phoneHelp') : known + doubt}
      value={value}
      onChange={onChange}
      error={error}
      inputMode="tel"
      isCode
    />
  );
}

function countryName(code: string, locale: string): string {
  return new Intl.DisplayNames([locale, 'en'], { type: 'region', fallback: 'code' }).of(code) ?? code;
}
