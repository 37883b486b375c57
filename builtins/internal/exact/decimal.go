package exact

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"go.starlark.net/starlark"
)

// Decimals: how an exact number is written as the shortest decimal of its nearest
// float, and read from text or from a float.

// Decimal returns the shortest decimal that reads as f.
func Decimal(f float64) (*big.Rat, bool) {
	return new(big.Rat).SetString(strconv.FormatFloat(f, 'e', -1, 64))
}

// ParseRat reads "1/3", "0.25" and "30%".
func ParseRat(text string) (*big.Rat, bool) {
	text = strings.TrimSpace(text)
	percent := strings.HasSuffix(text, "%")
	text = strings.TrimSuffix(text, "%")
	if text == "" || len(text) > 400 || strings.ContainsAny(text, "eEpPxX_") {
		return nil, false
	}
	if i := strings.IndexByte(text, '/'); i >= 0 && strings.Trim(text[i+1:], "0123456789") != "" {
		return nil, false
	}
	r, ok := new(big.Rat).SetString(text)
	if ok && percent {
		r.Quo(r, Hundred)
	}
	return r, ok
}

// String writes the shortest decimal of the nearest float. A number beyond the
// range of floats is written with as many digits.
func (x Number) String() string {
	f := x.Float()
	if math.IsInf(f, 0) || f == 0 && x.Rat.Sign() != 0 {
		return scientific(x.Rat)
	}
	return FloatText(f)
}

// scientific writes 17 digits of a number that is too large or too small for a
// float. |r| = q 10^e with q from 10^16 up to 10^17; an estimate of e from the
// lengths of the numbers is off by one at most.
func scientific(r *big.Rat) string {
	const log10of2 = 0.30102999566398120
	e := int(math.Floor(float64(r.Num().BitLen()-r.Denom().BitLen())*log10of2)) - 16
	digits := scaledDown(r, e)
	for len(digits) > 17 {
		e++
		digits = scaledDown(r, e)
	}
	for len(digits) < 17 {
		e--
		digits = scaledDown(r, e)
	}
	e += 16
	fraction := strings.TrimRight(digits[1:], "0")
	if fraction != "" {
		fraction = "." + fraction
	}
	sign := ""
	if r.Sign() < 0 {
		sign = "-"
	}
	return fmt.Sprintf("%s%s%se%+03d", sign, digits[:1], fraction, e)
}

// scaledDown returns the digits of |r| / 10^e, rounded to the nearest whole number.
func scaledDown(r *big.Rat, e int) string {
	num, den := new(big.Int).Abs(r.Num()), new(big.Int).Set(r.Denom())
	if e < 0 {
		num.Mul(num, PowerOfTen(-e))
	} else {
		den.Mul(den, PowerOfTen(e))
	}
	num.Lsh(num, 1).Add(num, den)
	return num.Quo(num, den.Lsh(den, 1)).String()
}

// FloatText writes a float as the shortest decimal; a whole number has no point.
func FloatText(f float64) string {
	if f == 0 {
		return "0"
	}
	return strings.TrimSuffix(starlark.Float(f).String(), ".0")
}

// Fixed writes r with a number of decimals, rounded half up from the exact value, as
// everything that is printed.
func Fixed(r *big.Rat, digits int) string { return FixedQuotient(r.Num(), r.Denom(), digits) }

// FixedQuotient is [Fixed] for num/den, which need not be in lowest terms: bringing long
// numbers there takes far longer than dividing them.
func FixedQuotient(num, den *big.Int, digits int) string {
	// floor(10^digits num/den + 1/2)
	twice := new(big.Int).Mul(num, PowerOfTen(digits))
	twice.Lsh(twice, 1).Add(twice, den)
	n := twice.Div(twice, new(big.Int).Lsh(den, 1)) // rounds down
	return new(big.Rat).SetFrac(n, PowerOfTen(digits)).FloatString(digits)
}
