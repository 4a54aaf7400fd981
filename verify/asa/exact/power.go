package exact

import "math/big"

// precision is the number of binary digits after the point in logarithms and exponentials. Such numbers are integers, 2^precision times
// the value.
const precision = 320

// Power is a factor of a weighted geometric mean: a positive base and an exponent between 0 and 1.
type Power struct {
	Base, Exponent *big.Rat
}

// Product is the product of powers, correct to more than 200 bits, rounded to forty decimals so that a product that is a short decimal
// comes out as exactly that. It is 0 where a base is not positive. Exponents that sum to at most 1 and bases up to 100 are meant.
func Product(factors []Power) *big.Rat {
	sum := new(big.Int)
	for _, f := range factors {
		if f.Base.Sign() <= 0 {
			return new(big.Rat)
		}
		sum.Add(sum, times(fixed(f.Exponent), logarithm(f.Base)))
	}
	r := new(big.Rat).SetFrac(exponential(sum), one())
	return FloorPlaces(Add(r, HalfUnit(40)), 40)
}

func one() *big.Int { return new(big.Int).Lsh(big.NewInt(1), precision) }

// fixed cuts a rational to precision.
func fixed(r *big.Rat) *big.Int {
	n := new(big.Int).Lsh(r.Num(), precision)
	return n.Quo(n, r.Denom())
}

func times(a, b *big.Int) *big.Int {
	p := new(big.Int).Mul(a, b)
	return p.Rsh(p, precision)
}

// logarithm is ln(x) for x > 0: x is halved or doubled into [1/2, 1], then ln is twice the series of artanh((x-1)/(x+1)).
func logarithm(r *big.Rat) *big.Int {
	x, unit := fixed(r), one()
	if x.Sign() == 0 {
		x.SetInt64(1) // below anything a score can be
	}
	shift := x.BitLen() - precision
	if shift > 0 {
		x = fixed(Quo(r, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(shift)))))
	} else {
		x.Lsh(x, uint(-shift))
	}
	z := new(big.Int).Lsh(new(big.Int).Sub(x, unit), precision)
	z.Quo(z, new(big.Int).Add(x, unit))
	third := new(big.Int).Quo(unit, big.NewInt(3))
	sum := new(big.Int).Mul(big.NewInt(int64(shift)), artanh(third)) // ln 2 = 2 artanh(1/3)
	sum.Add(sum, artanh(z))
	return sum.Lsh(sum, 1)
}

func artanh(z *big.Int) *big.Int {
	square, power, sum := times(z, z), new(big.Int).Set(z), new(big.Int)
	for n := int64(1); power.BitLen() > 1; n += 2 {
		sum.Add(sum, new(big.Int).Quo(power, big.NewInt(n)))
		power = times(power, square)
	}
	return sum
}

// exponential is e^x: x is divided by 2^10, the series summed, the result squared ten times.
func exponential(x *big.Int) *big.Int {
	const halvings = 10
	x = new(big.Int).Rsh(x, halvings)
	term, sum := one(), one()
	for n := int64(1); term.BitLen() > 1; n++ {
		term = times(term, x)
		term.Quo(term, big.NewInt(n))
		sum.Add(sum, term)
	}
	for range halvings {
		sum = times(sum, sum)
	}
	return sum
}
