import { Checkbox } from '#client/ui/checkbox.tsx';
import { FieldError } from '#client/ui/field.tsx';

type Props = {
  list: readonly string[];
  value: readonly string[];
  onChange: (value: string[]) => void;
  error?: string | undefined;
};

/** What is ticked of this list: another one may have been ticked before. */
export const onList = (ticked: readonly string[], list: readonly string[]) =>
  list.filter((one) => ticked.includes(one));

/** What an adviser checked, from the practice's list; nothing where it has none. */
export const Checks = ({ list, value, onChange, error }: Props) =>
  list.length > 0 && (
    <fieldset className="min-w-0 pb-4">
      <legend className="text-sm font-medium">
        What you checked<span className="font-normal text-muted"> (optional)</span>
      </legend>
      <div className="mt-1 flex flex-wrap gap-x-6">
        {list.map((one) => (
          <Checkbox
            key={one}
            label={one}
            checked={value.includes(one)}
            onChange={({ target }) =>
              onChange(list.filter((each) => (each === one ? target.checked : value.includes(each))))
            }
          />
        ))}
      </div>
      <FieldError id="checks-error" error={error} />
    </fieldset>
  );
